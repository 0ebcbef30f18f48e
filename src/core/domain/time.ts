/** Text of an instant without asking a clock: days since 1970 to a civil date (proleptic Gregorian). */
const civil = (days: number): readonly [year: number, month: number, day: number] => {
  const shifted = days + 719_468
  const era = Math.floor(shifted / 146_097)
  const dayOfEra = shifted - era * 146_097
  const yearOfEra = Math.floor(
    (dayOfEra - Math.floor(dayOfEra / 1_460) + Math.floor(dayOfEra / 36_524) - Math.floor(dayOfEra / 146_096)) / 365
  )
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100))
  const marchMonth = Math.floor((5 * dayOfYear + 2) / 153)
  const day = dayOfYear - Math.floor((153 * marchMonth + 2) / 5) + 1
  const month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
  return [yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day]
}

const two = (n: number): string => String(n).padStart(2, "0")

const INSTANT = /^(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2}):(\d{2})(?:\.(\d{1,3})\d*)?Z$/

/** Days since 1970 of a civil date. */
const daysOf = (year: number, month: number, day: number): number => {
  const shifted = month <= 2 ? year - 1 : year
  const era = Math.floor(shifted / 400)
  const yearOfEra = shifted - era * 400
  const dayOfYear = Math.floor((153 * (month + (month > 2 ? -3 : 9)) + 2) / 5) + day - 1
  return era * 146_097 + yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear - 719_468
}

/** The instant of a text in ISO 8601 and UTC; nothing for any other text. */
export const millisFromIso = (iso: string): number | undefined => {
  const match = INSTANT.exec(iso)
  if (match === null) return undefined
  const [year = 0, month = 0, day = 0, hours = 0, minutes = 0, seconds = 0] = match.slice(1, 7).map(Number)
  const millis = Number((match[7] ?? "").padEnd(3, "0"))
  return daysOf(year, month, day) * 86_400_000 + ((hours * 60 + minutes) * 60 + seconds) * 1_000 + millis
}

/** ISO 8601 in UTC with milliseconds, as transcripts write it. */
export const isoFromMillis = (millis: number): string => {
  const days = Math.floor(millis / 86_400_000)
  const rest = millis - days * 86_400_000
  const [year, month, day] = civil(days)
  const seconds = Math.floor(rest / 1_000)
  return `${String(year).padStart(4, "0")}-${two(month)}-${two(day)}T${two(Math.floor(seconds / 3_600))}:${two(
    Math.floor(seconds / 60) % 60
  )}:${two(seconds % 60)}.${String(rest % 1_000).padStart(3, "0")}Z`
}
