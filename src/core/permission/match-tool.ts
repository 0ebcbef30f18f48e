import { commandPattern, matchesCommand } from "./command-pattern.ts"
import { readParameter } from "./parse.ts"
import { presentName, type Rule } from "./rule.ts"
import type { DecidedTool } from "./subject.ts"
import { matchesStars } from "./wildcard.ts"

/** Whether a rule speaks about a tool, its input fields or a host. */
const namesOf = (tool: DecidedTool): ReadonlyArray<string> => [tool.name, ...tool.aliases].map(presentName)

/** `mcp__server`, `mcp__server__` and `mcp__server__*` all mean every tool of the server. */
const coversServer = (pattern: string, name: string): boolean => {
  const server = /^mcp__((?:(?!__).)+)(?:__)?$/.exec(pattern)?.[1]
  return server !== undefined && name.startsWith(`mcp__${server}__`)
}

export const matchesTool = (rule: Rule, tool: DecidedTool): boolean => {
  const isPlain = !rule.tool.includes("*") && !rule.tool.startsWith("mcp__")
  if (isPlain) return rule.tool === tool.name || namesOf(tool).includes(rule.tool)
  return namesOf(tool).some((name) => coversServer(rule.tool, name) || matchesStars(rule.tool, name))
}

const asciiHost = (host: string): string => {
  const lower = host.trim().toLowerCase().replace(/\.$/, "")
  if (/^\p{ASCII}*$/u.test(lower)) return lower
  return URL.canParse(`https://${lower}/`) ? new URL(`https://${lower}/`).hostname : lower
}

/** `*.h` is every sub-domain of h at any depth, `*` every host; any other star stays inside one label. */
export const matchesHost = (specifier: string, host: string): boolean => {
  const pattern = asciiHost(specifier.replace(/^domain:/, ""))
  const asked = asciiHost(host)
  if (pattern === "*") return true
  if (pattern.startsWith("*.") && !pattern.slice(2).includes("*")) return asked.endsWith(pattern.slice(1))
  const labels = asked.split(".")
  const patterns = pattern.split(".")
  return labels.length === patterns.length && patterns.every((label, index) => matchesStars(label, labels[index] ?? ""))
}

/** A scalar field of the input as text; undefined when it is absent or something else. */
export const inputField = (input: unknown, name: string): string | undefined => {
  if (typeof input !== "object" || input === null || !Object.hasOwn(input, name)) return undefined
  const value: unknown = Object.entries(input).find(([key]) => key === name)?.[1]
  return ["string", "number", "boolean"].includes(typeof value) ? String(value) : undefined
}

const NAME_FIELDS: Readonly<Record<string, string>> = { Agent: "subagent_type", Skill: "skill" }

/** The agent's type, or the skill with its arguments. */
export const matchesName = (rule: Rule, input: unknown): boolean => {
  const value = inputField(input, NAME_FIELDS[rule.tool] ?? "")
  if (value === undefined) return false
  const pattern = commandPattern(rule.specifier ?? "")
  const args = rule.tool === "Skill" ? inputField(input, "args") : undefined
  return matchesCommand(pattern, value) || (args !== undefined && matchesCommand(pattern, `${value} ${args}`))
}

export const matchesParameter = (rule: Rule, input: unknown): boolean => {
  const parameter = readParameter(rule.specifier ?? "")
  const value = parameter === undefined ? undefined : inputField(input, parameter.name)
  return parameter !== undefined && value !== undefined && matchesStars(parameter.value, value)
}
