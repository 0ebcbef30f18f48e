import { splitFrontMatter, unquoted } from "../../domain/text/front-matter.ts"

/** A file of the memory: Markdown, with what it is about before it. The user may have written anything there. */
export const MEMORY_TYPES = ["user", "feedback", "project", "reference"] as const

export type MemoryType = (typeof MEMORY_TYPES)[number]

export const isMemoryType = (text: string): text is MemoryType => MEMORY_TYPES.some((type) => type === text)

export interface Topic {
  readonly name: string
  /** One line that says when it is worth reading. */
  readonly description: string
  readonly type: MemoryType | undefined
  /** When the program last wrote it, as ISO 8601. */
  readonly modified: string | undefined
  readonly body: string
}

const FIELD = /^([A-Za-z][\w-]*)[ \t]*:[ \t]*(.*)$/

const fieldOf = (fields: ReadonlyArray<string>, name: string): string | undefined => {
  const found = fields.map((line) => FIELD.exec(line)).find((match) => match?.[1] === name)
  return found?.[2] === undefined ? undefined : unquoted(found[2])
}

export const readTopic = (text: string): Topic => {
  const { fields = [], body } = splitFrontMatter(text)
  const type = fieldOf(fields, "type") ?? ""
  return {
    name: fieldOf(fields, "name") ?? "",
    description: fieldOf(fields, "description") ?? "",
    type: isMemoryType(type) ? type : undefined,
    modified: fieldOf(fields, "modified"),
    body
  }
}

/** Says when it was written; every other line stays as it is, and so does a text without front matter. */
export const stampTopic = (text: string, at: string): string => {
  const { fields, body } = splitFrontMatter(text)
  if (fields === undefined) return text
  const line = `modified: ${at}`
  const place = fields.findIndex((field) => FIELD.exec(field)?.[1] === "modified")
  const stamped = place < 0 ? [...fields, line] : fields.with(place, line)
  return ["---", ...stamped, "---", body].join("\n")
}

/** A value on one line that every reader of YAML takes for the same text. */
const scalar = (text: string): string => {
  const plain = text.replace(/\s+/g, " ").trim()
  return /^[A-Za-z0-9][^:#"'\\]*$/.test(plain) ? plain : JSON.stringify(plain)
}

export interface NewTopic {
  readonly name: string
  readonly description: string
  readonly type: MemoryType
  readonly body: string
}

/** What was learned from a conversation, as a file. */
export const renderTopic = ({ name, description, type, body }: NewTopic, at: string): string =>
  [
    "---",
    `name: ${scalar(name)}`,
    `description: ${scalar(description)}`,
    `type: ${type}`,
    `modified: ${at}`,
    "source: conversation",
    "---",
    "",
    `${body.trim()}\n`
  ].join("\n")
