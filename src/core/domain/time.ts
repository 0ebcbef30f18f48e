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
