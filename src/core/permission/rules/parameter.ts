import { type RuleText, specifierFamily } from "../rule.ts"

/** `Tool(field:value)`: deny and ask rules about one field of a call's input. */
export interface Parameter {
  readonly name: string
  readonly value: string
}

const PARAMETER = /^\s*([^\s:]+)\s*:\s*(.*?)\s*$/s

/** Fields that have rules of their own kind. */
export const PRIMARY_FIELDS: ReadonlySet<string> = new Set(["command", "file_path", "path", "notebook_path", "url"])

/** The other fields of tools whose specifiers mean something else; what is not here is a command, a path or a host. */
export const OTHER_FIELDS: Readonly<Record<string, ReadonlyArray<string>>> = {
  Bash: ["timeout", "description", "run_in_background", "dangerouslyDisableSandbox"],
  Monitor: ["timeout_ms", "description", "persistent"],
  Read: ["offset", "limit", "pages"],
  Edit: ["old_string", "new_string", "replace_all"],
  Write: ["content"],
  MultiEdit: [],
  NotebookEdit: ["cell_id", "new_source", "cell_type", "edit_mode"],
  Glob: ["pattern"],
  Grep: "pattern glob output_mode -A -B -C context -n -i -o type head_limit offset multiline".split(" "),
  LSP: ["operation", "line", "character", "query"],
  WebFetch: ["prompt"]
}

const read = (specifier: string): Parameter | undefined => {
  const found = PARAMETER.exec(specifier)
  return found === null ? undefined : { name: found[1] ?? "", value: found[2] ?? "" }
}

/** `git:*` is a command and whatever follows it, not a field. */
const isPrefix = ({ tool, specifier = "" }: RuleText): boolean =>
  specifierFamily(tool) === "command" && /^[^\s:]+:\*$/.test(specifier.trim())

/** The field that a rule is about; undefined for rules about something else. */
export const parameterOf = (rule: RuleText): Parameter | undefined => {
  const found = rule.specifier === undefined || isPrefix(rule) ? undefined : read(rule.specifier)
  const known = Object.hasOwn(OTHER_FIELDS, rule.tool) ? (OTHER_FIELDS[rule.tool] ?? []) : undefined
  if (found === undefined || rule.tool === "Cd" || specifierFamily(rule.tool) === "none") return undefined
  return known === undefined || known.includes(found.name) || PRIMARY_FIELDS.has(found.name) ? found : undefined
}
