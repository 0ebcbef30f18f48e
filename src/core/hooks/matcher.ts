import { presentName } from "../permission/rule.ts"
import type { HookEvent } from "./hook-event.ts"

/** Which tools, sources or names a group of handlers is for. */
export type Matcher =
  | { readonly _tag: "Any" }
  | { readonly _tag: "Names"; readonly names: ReadonlyArray<string> }
  | { readonly _tag: "Pattern"; readonly pattern: RegExp }
  /** It matches nothing. */
  | { readonly _tag: "Unusable"; readonly why: string }

const ANY: Matcher = { _tag: "Any" }

const NAMES = /^[\w ,|-]*$/
/** File names and names of errors may hold what separates names elsewhere. */
const PLAIN_NAMES = /^[\w|]*$/
const EXPLICIT = "regex:"

/** A pattern that can take exponential time repeats a group in which something repeats, or looks around. */
const RISKY = /\([^()]*[*+}][^()]*\)\s*[*+{]|\(\?<?[=!]|\\[1-9]|\\k</
const MOST_CHARS = 1_000

const patternOf = (text: string): Matcher => {
  if (text.length > MOST_CHARS) return { _tag: "Unusable", why: `the pattern is longer than ${MOST_CHARS} characters` }
  if (RISKY.test(text))
    return { _tag: "Unusable", why: "the pattern repeats a repetition or looks around, which could take forever" }
  try {
    return { _tag: "Pattern", pattern: new RegExp(text) }
  } catch (error) {
    return { _tag: "Unusable", why: error instanceof Error ? error.message : "it is not a regular expression" }
  }
}

const isFewNames = (event: HookEvent): boolean => event === "FileChanged" || event === "StopFailure"

/** Words mean exact names; anything else is a regular expression that may match anywhere in the name. */
export const readMatcher = (event: HookEvent, text: string | undefined): Matcher => {
  const trimmed = text?.trim() ?? ""
  if (trimmed === "" || trimmed === "*") return ANY
  if (trimmed.startsWith(EXPLICIT)) return patternOf(trimmed.slice(EXPLICIT.length))
  if (!(isFewNames(event) ? PLAIN_NAMES : NAMES).test(trimmed)) return patternOf(trimmed)
  const names = trimmed
    .split(/[|,]/)
    .map((name) => name.trim())
    .filter((name) => name !== "")
  return { _tag: "Names", names: names.map(presentName) }
}

const LONGEST_NAME = 512

/** Why the name does not match; undefined when it does. Events without a name match whatever is written. */
export const mismatch = (matcher: Matcher, name: string | undefined): string | undefined => {
  if (matcher._tag === "Any" || name === undefined) return undefined
  switch (matcher._tag) {
    case "Names":
      return matcher.names.includes(name) ? undefined : `${name} is not ${matcher.names.join(" or ")}`
    case "Pattern":
      if (name.length > LONGEST_NAME) return "the name is too long for a pattern"
      return matcher.pattern.test(name) ? undefined : `${name} does not match ${matcher.pattern.source}`
    case "Unusable":
      return matcher.why
  }
}
