/** Reading values whose shape nobody promised: half an input, a record that another program wrote. */
export type Fields = Readonly<Record<string, unknown>>

const NO_FIELDS: Fields = {}

const isFields = (value: unknown): value is Fields => typeof value === "object" && value !== null && !Array.isArray(value)

/** The object, or one without fields. */
export const fieldsOf = (value: unknown): Fields => (isFields(value) ? value : NO_FIELDS)

/** The first of these fields that holds a text; an empty text otherwise. */
export const textField = (fields: Fields, ...names: ReadonlyArray<string>): string => {
  for (const name of names) {
    const value = fields[name]
    if (typeof value === "string" && value !== "") return value
  }
  return ""
}

export const numberField = (fields: Fields, name: string): number | undefined => {
  const value = fields[name]
  return typeof value === "number" && Number.isFinite(value) ? value : undefined
}

export const listField = (fields: Fields, name: string): ReadonlyArray<unknown> => {
  const value = fields[name]
  return Array.isArray(value) ? value : []
}
