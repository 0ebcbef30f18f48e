import { commandPattern, matchesCommand } from "./command-pattern.ts"
import { parameterOf } from "./parameter.ts"
import { presentName, type Rule } from "../rule.ts"
import type { DecidedTool } from "../permission-request.ts"
import { matchesStars } from "../../domain/text/wildcard.ts"

/** Whether a rule speaks about a tool, its input fields or a host. */
const namesOf = (tool: DecidedTool): ReadonlyArray<string> => [tool.name, ...tool.aliases].map(presentName)

/** `mcp__server`, `mcp__server__` and `mcp__server__*` all mean every tool of the server. */
const coversServer = (pattern: string, name: string): boolean => {
  const server = /^mcp__((?:(?!__).)+)(?:__)?$/.exec(pattern)?.[1]
  return server !== undefined && name.startsWith(`mcp__${server}__`)
}

const RESOURCE_TOOLS: ReadonlySet<string> = new Set(["ListMcpResources", "ReadMcpResource"])

/** Rules about a server speak about its resources too: such a call is known by the server's name as well. */
export const withServerName = (tool: DecidedTool, input: unknown): DecidedTool => {
  const server = RESOURCE_TOOLS.has(tool.name) ? inputField(input, "server") : undefined
  return server === undefined ? tool : { ...tool, aliases: [...tool.aliases, `mcp__${server}__${tool.name}`] }
}

export const matchesTool = (rule: Rule, tool: DecidedTool): boolean => {
  const isPlain = !rule.tool.includes("*") && !rule.tool.startsWith("mcp__")
  if (isPlain) return rule.tool === tool.name || namesOf(tool).includes(rule.tool)
  return namesOf(tool).some((name) => coversServer(rule.tool, name) || matchesStars(rule.tool, name))
}

/** Numbers and other alphabets as a URL would spell them; the brackets of an address are left out. */
export const asciiHost = (host: string): string => {
  const lower = host
    .trim()
    .toLowerCase()
    .replace(/\.$/, "")
    .replace(/^\[(.*)\]$/, "$1")
  const isName = /^[a-z\d.*-]*$/.test(lower) && !/(?:^|\.)(?:\d+|0x[\da-f]*)$/.test(lower)
  if (isName || (lower.includes("*") && /^\p{ASCII}*$/u.test(lower))) return lower
  const url = `https://${lower.includes(":") ? `[${lower}]` : lower}/`
  return URL.canParse(url) ? new URL(url).hostname.replace(/^\[(.*)\]$/, "$1") : lower
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
/** What a call means that names nothing. */
const UNNAMED: Readonly<Record<string, string>> = { Agent: "general-purpose" }

/** The agent's type, or the skill with its arguments. */
export const matchesName = (rule: Rule, input: unknown): boolean => {
  const value = inputField(input, NAME_FIELDS[rule.tool] ?? "") ?? UNNAMED[rule.tool]
  if (value === undefined) return false
  const pattern = commandPattern(rule.specifier ?? "")
  const args = rule.tool === "Skill" ? inputField(input, "args") : undefined
  return matchesCommand(pattern, value) || (args !== undefined && matchesCommand(pattern, `${value} ${args}`))
}

export const matchesParameter = (rule: Rule, input: unknown): boolean => {
  const parameter = parameterOf(rule)
  const value = parameter === undefined ? undefined : inputField(input, parameter.name)
  return parameter !== undefined && value !== undefined && matchesStars(parameter.value, value)
}
