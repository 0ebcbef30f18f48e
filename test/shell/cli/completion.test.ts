import { spawnSync } from "node:child_process"
import { describe, expect, it } from "vitest"
import { COMMANDS, type Command } from "../../../src/shell/cli/tables/commands.ts"
import { completionScript } from "../../../src/shell/cli/completion.ts"
import { type Flag, FLAGS, longsOf } from "../../../src/shell/cli/tables/flags.ts"
import { SHELLS } from "../../../src/shell/cli/tables/completion.ts"

const TREE: ReadonlyArray<Command> = COMMANDS
const TABLE: ReadonlyArray<Flag> = FLAGS

describe.each(SHELLS)("the script for %s", (shell) => {
  const script = completionScript(shell)
  const dashes = shell === "fish" ? "" : "--"

  it("knows every command, flag and value that help knows", () => {
    for (const { name, subs } of TREE) {
      expect(script).toContain(name)
      for (const sub of subs) {
        expect(script).toContain(sub.name)
        for (const flag of sub.flags) expect(script).toContain(`${dashes}${flag.name.slice(2)}`)
      }
    }
    for (const flag of TABLE.filter(({ hidden }) => hidden !== true)) {
      for (const long of longsOf(flag)) expect(script).toContain(`${dashes}${long.slice(2)}`)
      if (flag.value.kind === "choice") for (const choice of flag.value.choices) expect(script).toContain(choice)
    }
  })

  it("tells nobody of hidden flags", () => {
    const ofCommands = new Set<string>(
      TREE.flatMap(({ subs }) => subs.flatMap(({ flags }) => flags.map(({ name }) => name)))
    )
    for (const { name } of TABLE.filter((flag) => flag.hidden === true && !ofCommands.has(flag.name))) {
      expect(script).not.toMatch(new RegExp(`[ -]${name.slice(2)}[ "']`))
    }
  })
})

/** What bash offers after these words; the last one is being typed. */
const offered = (...words: ReadonlyArray<string>): ReadonlyArray<string> => {
  const script = `${completionScript("bash")}\nCOMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _nacre; printf '%s\\n' "\${COMPREPLY[@]}"`
  const { stdout, stderr } = spawnSync("bash", ["--norc", "-c", script, "bash", "nacre", ...words], { encoding: "utf8" })
  expect(stderr).toBe("")
  return stdout.split("\n").filter((line) => line !== "")
}

describe("bash", () => {
  it.each<[ReadonlyArray<string>, ReadonlyArray<string>]>([
    [["doc"], ["doctor"]],
    [["config", "un"], ["unset"]],
    [["config", "set"], ["set"]],
    [["config", "set", "--so"], ["--source"]],
    [["config", "set", "--source", "l"], ["local"]],
    [["config", "set", "--source", "=", "p"], ["project"]],
    [["--output-format", "j"], ["json"]],
    [["-p", "hi", "--permission-mode", "pl"], ["plan"]],
    [["--model", "opusp"], ["opusplan"]],
    [["--append-system-prompt-"], ["--append-system-prompt-file"]],
    [["completion", "z"], ["zsh"]],
    [["doctor", "--j"], ["--json"]]
  ])("offers after %j", (words, wanted) => {
    expect(offered(...words)).toEqual(wanted)
  })
})
