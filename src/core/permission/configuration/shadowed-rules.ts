import type { Finding } from "../../settings/doctor/finding.ts"
import { printRule, type Rule, sourceLabel } from "../rule.ts"

const STRICTER: Readonly<Record<Rule["behavior"], ReadonlyArray<Rule["behavior"]>>> = {
  allow: ["deny", "ask"],
  ask: ["deny"],
  deny: []
}

/** Covers whatever the other one covers, by its text alone. */
const covers = (wide: Rule, narrow: Rule): boolean =>
  wide.tool === narrow.tool && (wide.specifier === undefined || wide.specifier === narrow.specifier)

const placeOf = ({ file, line, source }: Rule): string =>
  file === undefined ? sourceLabel(source) : `${file}${line === undefined ? "" : `:${line}`}`

/** Rules that a stricter one keeps from ever deciding. */
export const shadowedRules = (rules: ReadonlyArray<Rule>): ReadonlyArray<Finding> =>
  rules.flatMap((rule): ReadonlyArray<Finding> => {
    const over = rules.find((other) => STRICTER[rule.behavior].includes(other.behavior) && covers(other, rule))
    if (over === undefined) return []
    return [
      {
        id: "rules.shadowed",
        level: "warning",
        area: "rules",
        message: `${rule.behavior} ${printRule(rule)} never decides: ${over.behavior} ${printRule(over)} (${placeOf(over)}) is stricter`,
        ...(rule.file === undefined ? {} : { file: rule.file }),
        ...(rule.line === undefined ? {} : { line: rule.line }),
        fix: "remove one of the two"
      }
    ]
  })
