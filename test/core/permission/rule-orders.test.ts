import { describe, expect, it } from "vitest"
import { readRules } from "../../../src/core/permission/rules/parse.ts"
import { RULE_SOURCES, type Rule } from "../../../src/core/permission/rule.ts"
import type { Need } from "../../../src/core/permission/need.ts"
import { PERMISSION_MODES, type PermissionMode, type Verdict } from "../../../src/core/permission/verdict.ts"
import { contextFor, decidePlainly, edit, read, requestIn, shell } from "./fixture.ts"

/** Every mode with every choice of verdicts for three rules that all fit, in every order and from any source. */
interface Kind {
  readonly name: string
  readonly need: Need
  /** Three rules that fit the call, from narrow to wide. */
  readonly rules: readonly [string, string, string]
  /** What holds where no rule says anything. */
  readonly plain: Readonly<Record<PermissionMode, Verdict>>
}

const inEach = (
  verdict: Verdict,
  except: Partial<Record<PermissionMode, Verdict>> = {}
): Record<PermissionMode, Verdict> => ({
  default: verdict,
  acceptEdits: verdict,
  plan: verdict,
  auto: verdict,
  dontAsk: verdict === "ask" ? "deny" : verdict,
  bypassPermissions: "allow",
  ...except
})

const KINDS: ReadonlyArray<Kind> = [
  {
    name: "a command",
    need: shell("make all"),
    rules: ["Bash(make all)", "Bash(make *)", "Bash(*all)"],
    plain: inEach("ask")
  },
  {
    name: "a command that only reads",
    need: shell("ls -l"),
    rules: ["Bash(ls -l)", "Bash(ls *)", "Bash(*-l)"],
    plain: inEach("allow")
  },
  { name: "reading", need: read("/work/a"), rules: ["Read(a)", "Read(//work/**)", "Read"], plain: inEach("allow") },
  {
    name: "reading outside",
    need: read("/etc/a"),
    rules: ["Read(//etc/a)", "Read(//etc/**)", "Read"],
    plain: inEach("ask")
  },
  {
    name: "editing",
    need: edit("/work/a"),
    rules: ["Edit(a)", "Edit(//work/**)", "Edit"],
    plain: inEach("ask", { acceptEdits: "allow", auto: "allow", plan: "deny" })
  }
]

/** Written down from the order of 03 §2.5, without a look at the engine. */
const expected = ({ need, plain }: Kind, mode: PermissionMode, verdicts: ReadonlyArray<Verdict | undefined>): Verdict => {
  if (verdicts.includes("deny")) return "deny"
  if (mode === "plan" && need.kind === "edit") return "deny"
  if (verdicts.includes("ask")) return mode === "dontAsk" ? "deny" : "ask"
  // In auto mode a rule that grants any command at all is set aside: the third one of commands is.
  const inForce = mode === "auto" && need.kind === "shell" ? verdicts.slice(0, 2) : verdicts
  if (!inForce.includes("allow") || plain[mode] === "allow") return plain[mode]
  return mode === "plan" && need.kind === "shell" ? "ask" : "allow"
}

const CHOICES: ReadonlyArray<Verdict | undefined> = [undefined, "allow", "ask", "deny"]

const ALL_VERDICTS = CHOICES.flatMap((first) => CHOICES.flatMap((second) => CHOICES.map((third) => [first, second, third])))

const orders = <A>(items: ReadonlyArray<A>): ReadonlyArray<ReadonlyArray<A>> =>
  items.length <= 1
    ? [items]
    : items.flatMap((item, index) => orders(items.toSpliced(index, 1)).map((rest) => [item, ...rest]))

const ruleOf = (text: string, behavior: Verdict | undefined, at: number): ReadonlyArray<Rule> => {
  const source = RULE_SOURCES[at % RULE_SOURCES.length]
  return behavior === undefined || source === undefined ? [] : readRules([text], { behavior, source }).rules
}

describe("modes, verdicts and orders of rules", () => {
  it.each(KINDS)("$name", (kind) => {
    let decided = 0
    const request = requestIn({}, { need: kind.need })
    for (const [at, verdicts] of ALL_VERDICTS.entries()) {
      const given = kind.rules.flatMap((text, index) => ruleOf(text, verdicts[index], at + index * 3))
      for (const rules of orders(given)) {
        for (const mode of PERMISSION_MODES) {
          const context = { ...contextFor({ mode }), rules }
          const { verdict } = decidePlainly({ ...request, context })
          expect(
            verdict,
            `${mode}: ${rules.map(({ behavior, specifier }) => `${behavior} ${specifier ?? "all"}`).join(", ")}`
          ).toBe(expected(kind, mode, verdicts))
          decided += 1
        }
      }
    }
    // One without rules, nine with one, two orders of 27, six of 27: times six modes.
    expect(decided).toBe((1 + 9 + 2 * 27 + 6 * 27) * 6)
  })
})
