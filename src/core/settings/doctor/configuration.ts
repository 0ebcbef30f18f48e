import { type Env, isOn } from "../../domain/env.ts"
import { editDistance } from "../../domain/text/edit-distance.ts"
import { fixOf, isFileProblem, type SettingsProblem } from "../origin.ts"
import { namesOf, VARIABLES, variableFault, variableIn } from "../variables.ts"
import type { Finding } from "./finding.ts"

/** What can be said about settings, rules and variables from their values alone. */

const RULE_LISTS: ReadonlySet<string> = new Set(["permissions.allow", "permissions.ask", "permissions.deny"])

const idOf = (problem: SettingsProblem): string => {
  if (isFileProblem(problem)) return "settings.file"
  if (problem.level === "remark") return "settings.unknown-key"
  if (RULE_LISTS.has(problem.path)) return "rules.skipped"
  return problem.level === "error" ? "settings.value" : "settings.entry"
}

/** A name that is nearly a known one is a slip; any other belongs to another tool. */
const levelOf = ({ level, suggestion }: SettingsProblem): Finding["level"] => {
  if (level !== "remark") return level
  return suggestion?.startsWith("write ") === true ? "warning" : "info"
}

export const settingsFinding = (problem: SettingsProblem): Finding => {
  const { path, message, file, line, excerpt } = problem
  return {
    id: idOf(problem),
    level: levelOf(problem),
    area: RULE_LISTS.has(path) ? "rules" : "settings",
    message: path === "" ? message : `${path}: ${message}`,
    file,
    ...(line === undefined ? {} : { line }),
    fix: fixOf(problem),
    ...(excerpt === undefined ? {} : { excerpt })
  }
}

const SHOWN_CHARS = 60
const SHOWN_END = 4

/** Addresses may name somebody and a password. */
const withoutUser = (value: string): string => value.replaceAll(/\/\/[^/@\s]*@/g, "//****@")

const shownValue = (kind: string, value: string): string => {
  if (kind === "secret") return value.length > 12 ? `****${value.slice(-SHOWN_END)}` : "****"
  const shown = withoutUser(value)
  return shown.length > SHOWN_CHARS ? `${shown.slice(0, SHOWN_CHARS)}…` : shown
}

const RESERVED = "CLAUDE_CODE_OAUTH_TOKEN"

const unusedFinding = (name: string, assignment: string): Finding =>
  name === RESERVED
    ? {
        id: "environment.reserved",
        level: "warning",
        area: "environment",
        message: `${assignment} is reserved for the vendor's own client and is never used`,
        fix: "set ANTHROPIC_API_KEY"
      }
    : {
        id: "environment.unused",
        level: "warning",
        area: "environment",
        message: `${assignment} is known, but not used in this version`,
        fix: "remove it"
      }

const OWN = /^NACRE_/

/** Names of ours that nobody reads: most likely a slip. */
const unknownVariables = (env: Env): ReadonlyArray<Finding> => {
  const known = VARIABLES.flatMap(namesOf)
  return Object.keys(env)
    .filter((name) => OWN.test(name) && !known.includes(name))
    .map((name): Finding => {
      const [nearest] = known
        .map((candidate) => ({ candidate, distance: editDistance(name, candidate) }))
        .filter(({ distance }) => distance <= 2)
        .toSorted((left, right) => left.distance - right.distance)
      return {
        id: "environment.unknown",
        level: nearest === undefined ? "info" : "warning",
        area: "environment",
        message: `${name} is not a known variable`,
        fix: nearest === undefined ? "unset it" : `write ${nearest.candidate}`
      }
    })
}

/** Known variables that are set: what is wrong with them, and which do nothing here. */
export const variableFindings = (env: Env): ReadonlyArray<Finding> => [
  ...VARIABLES.flatMap((variable): ReadonlyArray<Finding> => {
    const value = variableIn(env, variable)
    if (value === undefined) return []
    const { kind, unused } = variable
    const name = namesOf(variable).find((each) => env[each] === value) ?? variable.name
    const assignment = `${name}=${shownValue(kind, value)}`
    if (unused === true) return [unusedFinding(variable.name, assignment)]
    const fault = variableFault(variable, value)
    return fault === undefined
      ? [{ id: "environment.set", level: "info", area: "environment", message: assignment }]
      : [
          {
            id: "environment.value",
            level: "warning",
            area: "environment",
            message: `${assignment}: ${fault}`,
            fix: `correct ${name}, or unset it`
          }
        ]
  }),
  ...unknownVariables(env)
]

/** What answers, and with which credential; no secret is shown. */
export const credentialFindings = (
  env: Env,
  keptIn?: string
): { readonly fact: string; readonly findings: ReadonlyArray<Finding> } => {
  const source = ["ANTHROPIC_AUTH_TOKEN", "ANTHROPIC_API_KEY"].find((name) => (env[name] ?? "") !== "") ?? keptIn
  if (source !== undefined) return { fact: `from ${source}`, findings: [] }
  const required = isOn(env["NACRE_REQUIRE_CREDENTIAL"])
  return {
    fact: "none; the offline model answers",
    findings: [
      {
        id: "credential.none",
        level: required ? "error" : "info",
        area: "credential",
        message: required
          ? "NACRE_REQUIRE_CREDENTIAL is set, but there is no credential"
          : "no credential: the offline model (scripted, not an LLM) answers",
        fix: "nacre login, or set ANTHROPIC_API_KEY"
      }
    ]
  }
}
