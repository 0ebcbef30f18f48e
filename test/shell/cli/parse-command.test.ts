import { Result } from "effect"
import { describe, expect, it } from "vitest"
import type { Command } from "../../../src/shell/cli/tables/commands.ts"
import { parseCommand } from "../../../src/shell/cli/parse-command.ts"

const COMMAND: Command = {
  name: "fruit",
  help: "Fruit",
  subs: [
    {
      name: "pick",
      operands: [{ label: "kind" }, { label: "place", optional: true }],
      flags: [
        { name: "--ripe", shorts: ["-r"], value: { kind: "none" }, help: "Only ripe ones" },
        { name: "--most", value: { kind: "number", label: "n", integer: true, min: 1 }, help: "At most so many" },
        { name: "--from", value: { kind: "list", label: "tree", split: "whole", greedy: false }, help: "From here" }
      ],
      help: "Pick some",
      example: "nacre fruit pick apple"
    },
    { name: "list", operands: [], flags: [], help: "List all", example: "nacre fruit list" }
  ]
}

const parse = (...argv: ReadonlyArray<string>) => Result.getOrThrow(parseCommand(COMMAND, argv))
const message = (...argv: ReadonlyArray<string>): string => {
  const parsed = parseCommand(COMMAND, argv)
  return Result.isFailure(parsed) ? parsed.failure.message : ""
}

describe("a command with sub-commands", () => {
  it("reads flags and operands in any order", () => {
    expect(parse("pick", "--from", "a", "apple", "-r", "--from=b", "--most", "3")).toEqual({
      _tag: "Invoked",
      invocation: { sub: "pick", operands: ["apple"], flags: { from: ["a", "b"], ripe: true, most: "3" } }
    })
  })

  it("takes what stands after -- as it is", () => {
    expect(parse("pick", "--", "--ripe", "-h")).toMatchObject({ invocation: { operands: ["--ripe", "-h"], flags: {} } })
  })

  it("gives help for itself and for each sub-command", () => {
    expect(parse("--help")).toEqual({ _tag: "HelpWanted" })
    expect(parse("pick", "apple", "-h")).toEqual({ _tag: "HelpWanted", sub: "pick" })
  })

  it.each([
    [["pik", "apple"], "Did you mean nacre fruit pick?"],
    [[], "pick, list"],
    [["pick"], "takes 1 to 2 arguments"],
    [["pick", "a", "b", "c"], "3 were given"],
    [["list", "x"], "takes 0 arguments"],
    [["pick", "a", "--rip"], "did you mean --ripe?"],
    [["pick", "a", "--most", "0"], "whole number of at least 1"],
    [["pick", "a", "--from"], "--from needs a value"],
    [["list", "--ripe"], "nacre fruit list --help"]
  ])("refuses %j and says what to do", (argv, expected) => {
    expect(message(...argv)).toContain(expected)
  })
})
