import { printRule, type Rule, sourceLabel } from "../../../core/permission/rule.ts"
import type { Verdict } from "../../../core/permission/verdict.ts"
import type { CommandIo } from "../io/command-io.ts"
import type { CommandInvocation } from "../../cli/options.ts"
import { inquiryPlace } from "./permissions-rules.ts"

const TITLES: ReadonlyArray<readonly [Verdict, string]> = [
  ["deny", "Denied"],
  ["ask", "Asked about"],
  ["allow", "Allowed"]
]

const placeOf = ({ file, line, source }: Rule): string =>
  file === undefined ? sourceLabel(source) : `${sourceLabel(source)} (${file}${line === undefined ? "" : `:${line}`})`

/** `nacre permissions list`: the rules in force, by what they say, with the place each was written at. */
export const listRules = async ({ flags }: CommandInvocation, io: CommandIo): Promise<number> => {
  const { rules = [] } = await inquiryPlace(io, true)
  if (flags["json"] === true) {
    const entries = rules.map((rule) => ({
      rule: printRule(rule),
      behavior: rule.behavior,
      source: rule.source,
      file: rule.file ?? null,
      line: rule.line ?? null
    }))
    io.out(`${JSON.stringify(entries)}\n`)
    return 0
  }
  const sections = TITLES.map(([behavior, title]) => {
    const found = rules.filter((rule) => rule.behavior === behavior)
    return [
      `${title}:`,
      ...found.map((rule) => `  ${printRule(rule)} — ${placeOf(rule)}`),
      ...(found.length === 0 ? ["  nothing"] : [])
    ]
  })
  io.out(`${sections.map((lines) => lines.join("\n")).join("\n")}\n`)
  return 0
}
