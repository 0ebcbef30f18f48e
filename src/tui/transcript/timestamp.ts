/** Instants of records, read and shown without asking a clock or a time zone database. */
const DAY_MS = 86_400_000
const HOUR_MS = 3_600_000
const MINUTE_MS = 60_000

/** Days from 1970 to a civil date (proleptic Gregorian). */
const daysTo = (year: number, month: number, day: number): number => {
  const shifted = month <= 2 ? year - 1 : year
  const era = Math.floor(shifted / 400)
  const yearOfEra = shifted - era * 400
  const dayOfYear = Math.floor((153 * (month + (month > 2 ? -3 : 9)) + 2) / 5) + day - 1
  return era * 146_097 + yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear - 719_468
}

/** Milliseconds since 1970 of a UTC timestamp as transcripts write it; undefined for anything else. */
export const millisOf = (iso: string): number | undefined => {
  if (iso.length < 20 || iso[10] !== "T" || !iso.endsWith("Z")) return undefined
  const number = (from: number, to: number): number => Number(iso.slice(from, to))
  const days = daysTo(number(0, 4), number(5, 7), number(8, 10))
  const millis = iso[19] === "." ? Math.floor(Number(`0.${iso.slice(20, -1)}`) * 1_000) : 0
  const result = days * DAY_MS + number(11, 13) * HOUR_MS + number(14, 16) * MINUTE_MS + number(17, 19) * 1_000 + millis
  return Number.isFinite(result) ? result : undefined
}

export const minuteOf = (millis: number): number => Math.floor(millis / MINUTE_MS)

const two = (value: number): string => String(value).padStart(2, "0")

/** `14:05` at the given offset from UTC. */
export const clockText = (millis: number, utcOffsetMs: number): string => {
  const minutes = Math.floor(((((millis + utcOffsetMs) % DAY_MS) + DAY_MS) % DAY_MS) / MINUTE_MS)
  return `${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`
}
