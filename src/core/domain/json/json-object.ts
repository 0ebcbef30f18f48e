/** A JSON object from outside of which nothing is known yet. */
export interface Raw {
  readonly [field: string]: unknown
}

export const isRaw = (value: unknown): value is Raw =>
  typeof value === "object" && value !== null && !Array.isArray(value)

export const rawOf = (value: unknown): Raw | null => (isRaw(value) ? value : null)
