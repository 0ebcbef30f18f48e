import type { PermissionQuestion } from "../../../core/loop/machine/command.ts"
import { shortenText } from "../shorten.ts"
import { visible } from "../visible.ts"

/** What a call would do, word for word, so that whoever is asked can judge it. */
const ROOM = { lines: 40, chars: 4_000 }

type Input = Readonly<Record<string, unknown>>

const isInput = (value: unknown): value is Input => typeof value === "object" && value !== null && !Array.isArray(value)

const text = (input: Input, field: string): string => {
  const value = input[field]
  return typeof value === "string" ? value : value === undefined ? "" : JSON.stringify(value)
}

const marked = (mark: string, value: string): string =>
  value === ""
    ? ""
    : value
        .replace(/\n$/, "")
        .split("\n")
        .map((line) => `${mark} ${line}`)
        .join("\n")

const fields = (input: Input, left: ReadonlySet<string> = new Set()): string =>
  Object.keys(input)
    .filter((field) => !left.has(field))
    .map((field) => `${field}: ${text(input, field)}`)
    .join("\n")

const joined = (...parts: ReadonlyArray<string>): string => parts.filter((part) => part !== "").join("\n")

const EDIT_FIELDS = new Set(["file_path", "old_string", "new_string"])
const WRITE_FIELDS = new Set(["file_path", "content"])
const BASH_FIELDS = new Set(["command", "description"])

const wordsOf = (tool: string, input: Input): string => {
  switch (tool) {
    case "Bash":
      return joined(text(input, "command"), fields(input, BASH_FIELDS))
    case "Write":
      return joined(text(input, "file_path"), marked("+", text(input, "content")), fields(input, WRITE_FIELDS))
    case "Edit":
      return joined(
        text(input, "file_path"),
        marked("-", text(input, "old_string")),
        marked("+", text(input, "new_string")),
        fields(input, EDIT_FIELDS)
      )
    default:
      return fields(input)
  }
}

export interface CallDetails {
  /** As much as is shown without being asked for. */
  readonly told: ReadonlyArray<string>
  readonly whole: ReadonlyArray<string>
  readonly isWhole: boolean
}

export const callDetails = ({ tool, input, summary }: PermissionQuestion): CallDetails => {
  const words = isInput(input) ? wordsOf(tool, input) : summary
  const whole = visible(words).trimEnd().split("\n")
  const isWhole = whole.length <= ROOM.lines && words.length <= ROOM.chars
  return { told: isWhole ? whole : shortenText(words, ROOM), whole, isWhole }
}
