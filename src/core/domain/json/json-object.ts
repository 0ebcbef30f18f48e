/** A JSON object from outside of which nothing is known yet. */
export interface JsonObject {
  readonly [field: string]: unknown
}

export const isRaw = (value: unknown): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value)

export const rawOf = (value: unknown): JsonObject | null => (isRaw(value) ? value : null)
