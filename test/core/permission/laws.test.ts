import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { isAsStrict, PERMISSION_MODES, strictest, type Verdict } from "../../../src/core/permission/verdict.ts"
import { componentsOf, pathVariants, isInside, resolvePath } from "../../../src/core/domain/path/path-components.ts"
import type { HookVerdict } from "../../../src/core/permission/permission-request.ts"
import { HIDING, WIDENING } from "./bash/mutations.ts"
import { decideIn, edit, read, shell, verdictOn, type Setting } from "./fixture.ts"
import { plainPath } from "../../support/plain-facts.ts"

/** The laws of 03 §5, over commands and rules that are put together at random. */
const WORDS = [
  "a",
  "src/x.ts",
  "-l",
  "-rf",
  "--all",
  "'b c'",
  ".env",
  "../up",
  "/etc/hosts",
  "*.ts",
  "$X",
  '"$HOME/y"',
  "~/z"
]
const PROGRAMS = [
  "ls",
  "cat",
  "rm",
  "git status",
  "git push",
  "npm test",
  "echo",
  "grep -r x",
  "cp",
  "mkdir",
  "curl",
  "sh -c ls"
]
const JOINTS = [" && ", " || ", "; ", " | ", "\n"]
const ENDS = ["", " > out", " 2>&1", " < in", " > /dev/null", " # note"]

const simple = fc
  .tuple(fc.constantFrom(...PROGRAMS), fc.array(fc.constantFrom(...WORDS), { maxLength: 3 }), fc.constantFrom(...ENDS))
  .map(([program, words, end]) => [program, ...words].join(" ") + end)

const command = fc
  .tuple(simple, fc.array(fc.tuple(fc.constantFrom(...JOINTS), simple), { maxLength: 2 }))
  .map(([first, rest]) => first + rest.map(([joint, next]) => joint + next).join(""))

const RULES = [
  "Bash",
  "Bash(ls *)",
  "Bash(rm *)",
  "Bash(git *)",
  "Bash(git push *)",
  "Bash(npm test *)",
  "Bash(* a)",
  "Bash(cat*)",
  "Read",
  "Read(.env)",
  "Read(//etc/**)",
  "Read(src/**)",
  "Edit",
  "Edit(out)",
  "Edit(//etc/**)"
] as const

const rules = fc.subarray([...RULES], { maxLength: 4 })
const setting: fc.Arbitrary<Required<Setting>> = fc.record({
  mode: fc.constantFrom(...PERMISSION_MODES),
  allow: rules,
  ask: rules,
  deny: rules,
  dirs: fc.subarray(["/extra", "/home/u"])
})

const need = fc.oneof(
  { weight: 3, arbitrary: command.map(shell) },
  { weight: 1, arbitrary: fc.constantFrom("/work/a", "/work/.env", "/etc/hosts", "/work/src/x.ts").map(read) },
  { weight: 1, arbitrary: fc.constantFrom("/work/a", "/work/.git/x", "/etc/hosts").map(edit) }
)

const hook: fc.Arbitrary<HookVerdict | undefined> = fc.option(
  fc.constantFrom<HookVerdict>(
    { verdict: "allow", reason: "h" },
    { verdict: "ask", reason: "h" },
    { verdict: "deny", reason: "h" }
  ),
  { nil: undefined }
)

const RUNS = { numRuns: 400 }

const stricterThan = (after: Verdict, before: Verdict, what: string) =>
  expect(isAsStrict(after, before), `${what}: ${before} became ${after}`).toBe(true)

describe("1: rules and directories only ever turn one way", () => {
  it("a deny or ask rule more is never looser", () => {
    fc.assert(
      fc.property(setting, need, fc.constantFrom(...RULES), fc.constantFrom("ask", "deny"), (given, asked, rule, kind) => {
        const after = verdictOn({ ...given, [kind]: [...given[kind], rule] }, asked)
        stricterThan(after, verdictOn(given, asked), `${kind} ${rule}`)
      }),
      RUNS
    )
  })

  it("an allow rule more is never stricter", () => {
    fc.assert(
      fc.property(setting, need, fc.constantFrom(...RULES), (given, asked, rule) => {
        const after = verdictOn({ ...given, allow: [...given.allow, rule] }, asked)
        stricterThan(verdictOn(given, asked), after, `allow ${rule}`)
      }),
      RUNS
    )
  })

  it("a directory less is never looser", () => {
    fc.assert(
      fc.property(setting, need, (given, asked) => {
        stricterThan(verdictOn({ ...given, dirs: [] }, asked), verdictOn(given, asked), "without directories")
      }),
      RUNS
    )
  })

  it("the order of the rules changes nothing", () => {
    fc.assert(
      fc.property(setting, need, (given, asked) => {
        const { allow, ask, deny } = given
        const turned = { ...given, allow: allow.toReversed(), ask: ask.toReversed(), deny: deny.toReversed() }
        expect(verdictOn(turned, asked)).toBe(verdictOn(given, asked))
      }),
      RUNS
    )
  })
})

describe("2: what is denied stays denied", () => {
  it("in every mode, with every hook and any allow rules", () => {
    fc.assert(
      fc.property(setting, need, hook, (given, asked, said) => {
        const plain = decideIn({ ...given, mode: "default", allow: [] }, { need: asked })
        fc.pre(plain.verdict === "deny")
        const call = { need: asked, ...(said === undefined ? {} : { hook: said }) }
        expect(decideIn(given, call).verdict).toBe("deny")
      }),
      RUNS
    )
  })
})

describe("3: no change makes an allowed command look more harmless", () => {
  const ALLOWED = ["ls", "ls -la src", "git status", "cat a", "npm test", "echo hi", "grep -n x a", "mkdir d", "rm a"]
  const given: Setting = { mode: "acceptEdits", allow: ["Bash(npm test *)", "Bash(x)"] }

  it.each(WIDENING)("$name", ({ mutate }) => {
    for (const text of ALLOWED) {
      const before = verdictOn(given, shell(text))
      expect(before, text).toBe("allow")
      for (const allow of [given.allow ?? [], ["Bash(npm test *)"]]) {
        stricterThan(verdictOn({ ...given, allow }, shell(mutate(text))), before, mutate(text))
      }
    }
  })

  it.each(WIDENING.filter(({ name }) => name !== "comment"))("$name is not covered by an exact rule", ({ mutate }) => {
    expect(verdictOn({ allow: ["Bash(npm test)"] }, shell(mutate("npm test"))), mutate("npm test")).not.toBe("allow")
  })
})

describe("4: no disguise hides a denied command", () => {
  const DENIED = ["rm -r a", "curl http://x", "git push origin"]
  const given: Setting = {
    mode: "bypassPermissions",
    allow: ["Bash"],
    deny: ["Bash(rm *)", "Bash(curl *)", "Bash(git push *)"]
  }

  it.each(HIDING)("$name", ({ mutate }) => {
    for (const text of DENIED) {
      const { verdict, immune } = decideIn(given, { need: shell(mutate(text)) })
      expect(verdict === "deny" || (verdict === "ask" && immune === true), `${mutate(text)}: ${verdict}`).toBe(true)
    }
  })
})

describe("6: answers", () => {
  it("don't-ask mode never asks", () => {
    fc.assert(
      fc.property(setting, need, (given, asked) => {
        expect(verdictOn({ ...given, mode: "dontAsk" }, asked)).not.toBe("ask")
      }),
      RUNS
    )
  })

  it("the same call gives the same decision", () => {
    fc.assert(
      fc.property(setting, need, (given, asked) => {
        expect(decideIn(given, { need: asked })).toEqual(decideIn(given, { need: asked }))
      }),
      { numRuns: 100 }
    )
  })

  it("a compound is as strict as its strictest part", () => {
    fc.assert(
      fc.property(setting, simple, simple, (given, one, other) => {
        fc.pre(!/#/.test(one + other))
        const parts = strictest(verdictOn(given, shell(one)), verdictOn(given, shell(other)))
        stricterThan(verdictOn(given, shell(`${one}; ${other}`)), parts, `${one}; ${other}`)
      }),
      RUNS
    )
  })
})

describe("7: the trace", () => {
  const BARRIERS = ["hookDeny", "denyRules", "planMode", "askRules", "possibleDeny", "interaction", "immuneSafety", "safety"]

  it("shows that an allow passed everything that says no", () => {
    fc.assert(
      fc.property(setting, need, hook, (given, asked, said) => {
        const { verdict, trace = [] } = decideIn(given, { need: asked, ...(said === undefined ? {} : { hook: said }) })
        const hits = trace.filter(({ result }) => result === "hit")
        expect(hits).toHaveLength(1)
        expect(trace.at(-1)).toBe(hits[0])
        expect(trace.every(({ detail }) => detail !== "")).toBe(true)
        if (verdict === "allow") expect(trace.slice(0, BARRIERS.length).map(({ step }) => step)).toEqual(BARRIERS)
        if (verdict === "allow") expect(trace.slice(0, BARRIERS.length).every(({ result }) => result === "pass")).toBe(true)
      }),
      RUNS
    )
  })
})

describe("8: places", () => {
  const path = fc
    .array(fc.constantFrom("a", "a-evil", "..", ".", "", "b", "é", "e\u0301", "A"), { maxLength: 6 })
    .map((parts) => `/${parts.join("/")}`)

  it("canonical forms are stable, and prefixes of text are not directories", () => {
    fc.assert(
      fc.property(path, path, (one, other) => {
        const canonical = resolvePath("/", one)
        expect(resolvePath("/", canonical)).toBe(canonical)
        expect(resolvePath("/any", canonical)).toBe(canonical)
        expect(componentsOf(canonical)).not.toContain("..")
        const isBelow = isInside(canonical, resolvePath("/", other))
        const spelled = `${resolvePath("/", other)}/`.normalize("NFC")
        const asText = spelled.startsWith(canonical === "/" ? "/" : `${canonical}/`.normalize("NFC"))
        expect(isBelow).toBe(asText)
      })
    )
  })

  it("an allow needs every form of a path, a denial any", () => {
    const places = ["/work/a", "/work/b", "/etc/x", "/work/secret/y"]
    const place = fc.constantFrom(...places)
    fc.assert(
      fc.property(place, place, fc.option(place, { nil: undefined }), (given, real, middle) => {
        const fact = { ...plainPath(given, real), ...(middle === undefined ? {} : { via: [middle] }) }
        const forms = pathVariants(fact)
        const through = (rule: Setting) => decideIn(rule, { need: read(given), world: { paths: [fact] } }).verdict
        const isDenied = forms.some((form) => form.startsWith("/work/secret/"))
        expect(through({ mode: "bypassPermissions", deny: ["Read(secret)"] }) === "deny").toBe(isDenied)
        const isInsideAll = forms.every((form) => form.startsWith("/work/"))
        expect(through({}) === "allow").toBe(isInsideAll)
        const isCovered = forms.every((form) => form.startsWith("/etc/"))
        expect(through({ allow: ["Read(//etc/**)"] }) === "allow").toBe(isInsideAll || isCovered)
      })
    )
  })
})

describe("10: work", () => {
  const deny = Array.from({ length: 200 }, (_, n) => `Bash(prog-${n} * tail-${n})`)
  /** In milliseconds of the processor: what else the machine does takes none of ours. */
  const timeOf = (text: string): number => {
    const from = process.cpuUsage()
    verdictOn({ deny, allow: ["Bash(git *)"] }, shell(text))
    const { user, system } = process.cpuUsage(from)
    return (user + system) / 1_000
  }
  const best = (texts: ReadonlyArray<string>): number =>
    Math.min(...Array.from({ length: 5 }, () => texts.reduce((sum, text) => sum + timeOf(text), 0)))

  it.each([
    ["words of an unknown program", (n: number) => `prog ${"prog-1 ".repeat(n)}`],
    ["different words", (n: number) => `ls ${Array.from({ length: n }, (_, index) => `a${index}`).join(" ")}`],
    ["different directories", (n: number) => `rm -r ${Array.from({ length: n }, (_, index) => `a${index}`).join(" ")}`],
    ["different targets", (n: number) => Array.from({ length: n }, (_, index) => `cp a b${index};`).join(" ")],
    ["parts", (n: number) => "ls -l; ".repeat(n)],
    ["nested quotes", (n: number) => `echo ${"'a' ".repeat(n)}`],
    ["stars", (n: number) => `ls ${"* ".repeat(n)}`],
    ["statements of awk", (n: number) => `awk '${"printf a ".repeat(n)}' b`],
    ["a program of jq", (n: number) => `jq '${"$ #".repeat(n)}' b`],
    ["commands of find", (n: number) => `find . ${"-exec ls ; ".repeat(n)}`],
    ["open parentheses", (n: number) => "$(".repeat(n)]
  ])("grows with the length of the command and not faster: %s", (_name, make) => {
    // The same amount of text in sixteen pieces, so that a busy machine takes its share of both.
    const pieces = best(Array.from({ length: 16 }, (_, index) => make(192 + index)))
    const whole = best([make(3_200)])
    // Far below the sixteen times of a quadratic cost.
    expect(whole).toBeLessThan(Math.max(80, pieces * 5))
  })
})
