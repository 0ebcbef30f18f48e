import { expandBraces } from "../../domain/path/braces.ts"
import { splitGlobList } from "../../domain/path/glob-pattern.ts"
import { matchesComponents } from "../../domain/path/glob.ts"
import { componentsBelow } from "../../domain/path/path-components.ts"
import { unquoted } from "../../domain/text/front-matter.ts"
import type { InstructionFile } from "./instruction-file.ts"

/** Instructions that come with files whose paths match. */
export interface PathRule {
  /** Of the rule itself. */
  readonly path: string
  /** The directory that its patterns are seen from. */
  readonly base: string
  readonly patterns: ReadonlyArray<string>
  /** The rule and what it imports. */
  readonly files: ReadonlyArray<InstructionFile>
}

const strings = (value: unknown): ReadonlyArray<string> => {
  if (Array.isArray(value)) return value.flatMap(strings)
  return typeof value === "string" ? splitGlobList(value).map(unquoted) : []
}

/** The patterns of the field `paths`, whatever form it has; empty when there are none. */
export const patternsOf = (value: unknown): ReadonlyArray<string> =>
  expandBraces(strings(value).filter((pattern) => pattern.replace(/^!/, "").replaceAll("/", "") !== ""))

interface Pattern {
  readonly negated: boolean
  readonly components: ReadonlyArray<string>
}

/** As git reads its ignore lists: without a slash at any depth; a directory stands for all that is in it. */
const parse = (text: string): Pattern => {
  const negated = text.startsWith("!")
  const plain = (negated ? text.slice(1) : text).replace(/\/+$/, "").replace(/^\.\//, "")
  const components = plain.split("/").filter((component) => component !== "")
  return { negated, components: [...(plain.includes("/") ? [] : ["**"]), ...components, "**"] }
}

/** Whether one of the forms of a path is what the rule is about; the last pattern that matches counts. */
export const ruleMatches = ({ base, patterns }: PathRule, forms: ReadonlyArray<string>): boolean =>
  forms.some((form) => {
    const rest = componentsBelow(base, form)
    if (rest === undefined || rest.length === 0) return false
    const last = patterns.map(parse).findLast(({ components }) => matchesComponents(components, rest, false))
    return last !== undefined && !last.negated
  })
