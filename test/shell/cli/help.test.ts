import { Result } from "effect"
import { describe, expect, it } from "vitest"
import { type CommandFlag, COMMANDS, RESERVED_COMMANDS } from "../../../src/shell/cli/tables/commands.ts"
import { FLAGS, longsOf, shortsOf, type Flag } from "../../../src/shell/cli/tables/flags.ts"
import { HELP_COLUMNS, helpText } from "../../../src/shell/cli/help.ts"
import { LATER_FLAGS } from "../../../src/shell/cli/tables/later-flags.ts"
import { editDistance } from "../../../src/core/domain/text/edit-distance.ts"
import { nearest } from "../../../src/shell/cli/nearest.ts"
import { parseArgv } from "../../../src/shell/cli/parse.ts"
import { splitRules } from "../../../src/shell/cli/split-list.ts"

const PAGES = [
  helpText({ all: false }),
  helpText({ all: true }),
  ...COMMANDS.map(({ name }) => helpText({ all: false, command: name }))
]
const flags: ReadonlyArray<Flag> = FLAGS
const commandFlags = COMMANDS.flatMap(({ subs }) => [...subs]).flatMap((sub): ReadonlyArray<CommandFlag> => sub.flags)

/** A value that fits a flag, so that the flag can be tried on its own. */
const SAMPLES: Readonly<Record<string, string>> = {
  "--session-id": "0a1b2c3d-0000-4000-8000-00000000000f",
  "--resume-session-at": "0a1b2c3d-0000-4000-8000-00000000000f",
  "--json-schema": "{}",
  "--agents": "{}",
  "--setting-sources": "user"
}

const argvFor = (flag: Flag, spelled: string): ReadonlyArray<string> => {
  const kind = flag.value.kind
  const sample =
    SAMPLES[flag.name] ?? (kind === "number" ? "1" : flag.value.kind === "choice" ? (flag.value.choices[0] ?? "") : "x")
  return kind === "none" || kind === "optional" ? [spelled] : [spelled, sample]
}

const COMPANY: Readonly<Record<string, ReadonlyArray<string>>> = {
  "--resume-session-at": ["--continue"],
  "--all": ["--help"],
  "--input-format": ["--output-format", "stream-json"]
}
const STREAMS = ["--input-format", "stream-json", "--output-format", "stream-json", "--verbose"]

describe("help", () => {
  it.each(PAGES.map((page) => [page.split("\n")[0], page]))("%s fits the screen", (_, page) => {
    for (const line of page.split("\n")) expect(line.length, line).toBeLessThanOrEqual(HELP_COLUMNS)
    expect(page).toMatch(/Example: nacre/)
    expect(page.endsWith("\n")).toBe(true)
  })

  it("lists every flag of this release once, and hidden ones only when asked", () => {
    const [page = "", all = ""] = PAGES
    for (const flag of flags) {
      const listed = page
        .split("\n")
        .filter((line) => new RegExp(`^  (-\\w, )*(--\\S+, )*${flag.name}[ ,=[]`).test(`${line} `))
      expect(listed.length, flag.name).toBe(flag.hidden === true ? 0 : 1)
      expect(all).toContain(flag.name)
    }
    for (const flag of LATER_FLAGS) {
      expect(page).not.toMatch(new RegExp(`${flag.name}\\b(?!-)`))
      expect(all).toContain(flag.name)
    }
    for (const word of RESERVED_COMMANDS) expect(page).not.toMatch(new RegExp(`^  ${word} `, "m"))
  })

  it("names only flags that parse", () => {
    const spelled = new Set(PAGES.flatMap((page) => page.match(/--?[A-Za-z][\w-]*/g) ?? []))
    const all = [...flags, ...LATER_FLAGS, ...commandFlags]
    const known = new Set(all.flatMap((flag) => [...longsOf(flag), ...shortsOf(flag)]))
    const inProse = new Set(["-json", "-rf"])
    for (const name of spelled)
      if (!inProse.has(name))
        expect(
          [...known].some((flag) => flag === name || flag.includes(name)),
          name
        ).toBe(true)
  })

  const SPELLINGS = [...flags, ...LATER_FLAGS].flatMap((flag) =>
    [...longsOf(flag), ...shortsOf(flag)].map((spelled) => [spelled, flag] as const)
  )

  it.each(SPELLINGS)("%s parses", (spelled, flag) => {
    const isFormat = flag.name === "--output-format" || flag.name === "--input-format"
    const print = ["--version", "--help", "--all"].includes(flag.name) ? [] : isFormat ? ["-p"] : STREAMS
    const resume = flag.name === "--resume" ? ["some session"] : []
    const argv = [...print, ...(COMPANY[flag.name] ?? []), ...argvFor(flag, spelled), ...resume]
    const text = flag.name === "--input-format" ? [...argv.slice(0, -1), "stream-json"] : argv
    expect(Result.isSuccess(parseArgv(text, { stdoutIsTerminal: true })), JSON.stringify(text)).toBe(true)
  })

  it("runs the examples it gives", () => {
    const examples = PAGES.flatMap((page) => [...page.matchAll(/Example: nacre (.*)/g)].map((match) => match[1] ?? ""))
    for (const example of examples) {
      // A redirection belongs to the shell.
      const argv = (example.replace(/ >>? \S+$/, "").match(/"[^"]*"|\S+/g) ?? []).map((word) => word.replaceAll('"', ""))
      expect(Result.isSuccess(parseArgv(argv, { stdoutIsTerminal: true })), example).toBe(true)
    }
  })

  it("gives no flag two meanings", () => {
    const names = SPELLINGS.map(([spelled]) => spelled)
    expect(new Set(names).size).toBe(names.length)
  })
})

describe("helpers", () => {
  it("measures edits", () => {
    expect(editDistance("docter", "doctor")).toBe(1)
    expect(editDistance("", "abc")).toBe(3)
    expect(nearest("replya", ["replay", "reply"], 2)).toBe("reply")
    expect(nearest("x", ["abcdef"], 2)).toBeUndefined()
  })

  it("splits rules", () => {
    expect(splitRules(" a, b(c, d) ,,e(f\\) , g)h ")).toEqual(["a", "b(c, d)", "e(f\\) , g)h"])
    expect(splitRules("")).toEqual([])
  })
})
