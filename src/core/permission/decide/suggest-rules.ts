import { escapePath } from "../../domain/path/glob.ts"
import type { RuleText } from "../rule.ts"
import type { ShellPart } from "../bash/shell-analysis.ts"
import { VERB_PROGRAMS, VERBS_THAT_RUN } from "../bash/tables/programs.ts"

/** The rules that "don't ask again" would save for a command: narrow enough to be shown and understood. */
const MOST = 5

const SCRIPT_RUNNERS: ReadonlySet<string> = new Set(["npm", "yarn", "pnpm", "bun"])

/** A word that can stand in a pattern as it is. */
const NAME = /^[A-Za-z0-9][\w:.@/-]*$/

/** How many words name what is done: `git commit`, `npm run lint`, `gh pr list`; undefined when none do. */
const verbLength = (words: ReadonlyArray<string>): number | undefined => {
  const [program = "", verb = "", next = ""] = words
  const length = VERB_PROGRAMS.get(program)
  if (length === undefined || !NAME.test(verb)) return undefined
  if (VERBS_THAT_RUN.has(verb)) {
    const isNamed = (verb === "run" && SCRIPT_RUNNERS.has(program)) || (verb === "compose" && program === "docker")
    return isNamed && NAME.test(next) ? 3 : undefined
  }
  return words.slice(0, length).every((word) => NAME.test(word)) && words.length >= length ? length : 2
}

/** The command without wrappers when a rule may look through them. */
const innermost = ({ allow: { texts, obstacle }, text }: ShellPart): string => {
  const [whole] = texts
  if (obstacle !== undefined || whole === undefined) return text
  return texts.findLast((candidate) => whole.endsWith(candidate)) ?? whole
}

const commandRule = (part: ShellPart): RuleText | undefined => {
  const { allow, danger, critical } = part
  if (critical !== undefined) return undefined
  const text = innermost(part)
  const words = text.split(" ")
  const length = allow.obstacle === undefined && danger === undefined ? verbLength(words) : undefined
  if (length !== undefined) return { tool: "Bash", specifier: `${words.slice(0, length).join(" ")} *` }
  // A star would make it a pattern, and a rule has to fit on a line.
  return text === "" || /[*\n\r]/.test(text) ? undefined : { tool: "Bash", specifier: text }
}

const pathRule = (tool: "Read" | "Edit", path: string, tail = ""): RuleText => ({
  tool,
  specifier: `/${escapePath(path)}${tail}`
})

const partRules = (part: ShellPart): ReadonlyArray<RuleText> => {
  const directory = part.touches.find(({ via, rulesOnly }) => via === "directory" && !rulesOnly)
  if (directory?.path !== undefined) return [pathRule("Read", directory.path, "/**")]
  const written = part.touches.flatMap(({ via, access, path, glob, rulesOnly }) =>
    via === "redirect" && access === "write" && path !== undefined && glob === undefined && !rulesOnly ? [path] : []
  )
  const rule = part.allow.texts.length === 0 ? undefined : commandRule(part)
  return [...(rule === undefined ? [] : [rule]), ...written.map((path) => pathRule("Edit", path))]
}

const isSame = (one: RuleText) => (other: RuleText) => one.tool === other.tool && one.specifier === other.specifier

/** `parts` are those that need approval. */
export const suggestedRules = (parts: ReadonlyArray<ShellPart>): ReadonlyArray<RuleText> => {
  const rules: Array<RuleText> = []
  for (const rule of parts.filter(({ handed }) => !handed).flatMap(partRules)) {
    if (rules.length < MOST && !rules.some(isSame(rule))) rules.push(rule)
  }
  return rules
}
