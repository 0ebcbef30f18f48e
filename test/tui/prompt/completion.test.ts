import { describe, expect, it } from "vitest"
import { targetAt } from "../../../src/tui/prompt/completion.ts"
import { acceptItem } from "../../../src/tui/prompt/menu-actions.ts"
import type { EditorChoice, PromptModel } from "../../../src/tui/prompt/model.ts"
import { type Candidate, rankCommands, rankFiles } from "../../../src/tui/prompt/ranking.ts"
import { candidatesArrived } from "../../../src/tui/prompt/update.ts"
import { fresh, NORMAL, plainText, sent, shownText, type, VIM } from "./world.ts"

const BOTH: ReadonlyArray<EditorChoice> = [NORMAL, VIM]

const command = (name: string, more: Partial<Candidate> = {}): Candidate => ({ name, insert: `/${name}`, ...more })
const file = (name: string, more: Partial<Candidate> = {}): Candidate => ({ name, insert: `@${name}`, ...more })
const names = (ranked: ReadonlyArray<{ candidate: Candidate }>): ReadonlyArray<string> =>
  ranked.map(({ candidate }) => candidate.name)

const target = (text: string, more: { isShell?: boolean; emoji?: boolean; line?: number } = {}): string => {
  const caret = { line: more.line ?? 0, column: text.length }
  const found = targetAt({ line: text, caret, isShell: more.isShell ?? false, emoji: more.emoji ?? true })
  return found === undefined ? "" : `${found.kind}@${found.from.column}:${found.query}`
}

describe("what is being completed", () => {
  it.each([
    ["/", "command@0:"],
    ["/mo", "command@0:mo"],
    ["/model x", ""],
    ["see /sk", "skill@4:sk"],
    ["@src/a", "mention@0:src/a"],
    ["see @", "mention@4:"],
    ["a@b", ""],
    ['@"my fi', "mention@0:my fi"],
    ["@a.ts#10", ""],
    [":sm", "emoji@0:sm"],
    [":s", ""],
    ["a:smile", ""]
  ])("%j", (text, expected) => {
    expect(target(text)).toBe(expected)
  })

  it("depends on line and mode", () => {
    expect(target("/mo", { line: 1 })).toBe("")
    expect(target(":smile", { emoji: false })).toBe("")
    expect(target("git st", { isShell: true })).toBe("shellHistory@0:git st")
    expect(target("cat src/a", { isShell: true })).toBe("path@4:src/a")
    expect(target("cat my\\ dir/a\\ f", { isShell: true })).toBe("path@4:my dir/a f")
  })
})

describe("ranking", () => {
  it("puts commands by name before those by description, the most recent first among equals", () => {
    const described = command("compact", { description: "makes room" })
    const all = [described, command("model"), command("mode", { usedAt: 5 }), command("memory"), command("room")]
    expect(names(rankCommands("mo", all)).slice(0, 3)).toEqual(["mode", "model", "memory"])
    expect(names(rankCommands("room", all))).toEqual(["room", "compact"])
  })

  it("looks into descriptions from the beginning of a word only", () => {
    const all = [
      command("help"),
      command("diff", { description: "show the changes" }),
      command("tag", { description: "name it here" })
    ]
    expect(names(rankCommands("he", all))).toEqual(["help", "tag"])
  })

  it("lists hidden commands only when typed in full", () => {
    const all = [command("doctor", { hidden: true }), command("docs")]
    expect(names(rankCommands("doc", all))).toEqual(["docs"])
    expect(names(rankCommands("doctor", all))).toEqual(["doctor"])
  })

  it("keeps the order of the list while nothing is typed, but for what was used", () => {
    const all = [command("help"), command("clear"), command("exit", { usedAt: 3 }), command("cd")]
    expect(names(rankCommands("", all))).toEqual(["exit", "help", "clear", "cd"])
  })

  it("finds a command by its other names: in full first, by their beginning after its own", () => {
    const all = [command("quilt"), command("exit", { aliases: ["quit"] }), command("clear", { aliases: ["new", "reset"] })]
    expect(names(rankCommands("quit", all))[0]).toBe("exit")
    expect(names(rankCommands("qui", all))).toEqual(["quilt", "exit"])
    expect(names(rankCommands("rese", all))).toEqual(["clear"])
  })

  it("does not suggest a directory inside itself", () => {
    const inside = [file("src/", { isDirectory: true }), file("src/a.ts")]
    expect(names(rankFiles("src/", inside))).toEqual(["src/a.ts"])
    expect(names(rankFiles("sr", inside))).toEqual(["src/", "src/a.ts"])
  })

  it("puts files by base name, prefix, recency and length", () => {
    const recent = file("lib/app-x.ts", { usedAt: 9 })
    const all = [file("src/long/app.ts"), file("app"), file("src/app.ts"), recent, file("zap/pop.ts")]
    const expected = ["app", "lib/app-x.ts", "src/app.ts", "src/long/app.ts", "zap/pop.ts"]
    expect(names(rankFiles("app", all))).toEqual(expected)
  })

  it("shows hidden files only for a query with a dot, and fifteen at most", () => {
    expect(names(rankFiles("env", [file(".env"), file("env")]))).toEqual(["env"])
    expect(names(rankFiles(".e", [file(".env"), file("x.e")]))).toContain(".env")
    expect(
      rankFiles(
        "a",
        Array.from({ length: 40 }, (_, index) => file(`a${index}`))
      )
    ).toHaveLength(15)
  })
})

describe.each(BOTH)("the menu ($mode)", (choice) => {
  const COMMANDS = [command("model", { needsArgument: true }), command("clear"), command("compact")]

  const opened = (keys: string): PromptModel => {
    const { prompt, commands } = type(fresh(choice), keys)
    const asked = commands.findLast((each) => each._tag === "AskCandidates")
    return candidatesArrived(prompt, { id: asked?._tag === "AskCandidates" ? asked.id : 0, candidates: COMMANDS })
  }

  it("asks with a new id for every change and discards answers to older questions", () => {
    const { prompt, commands } = type(fresh(choice), "/cl")
    expect(commands).toEqual([
      { _tag: "AskCandidates", id: 1, kind: "command", query: "" },
      { _tag: "AskCandidates", id: 2, kind: "command", query: "c" },
      { _tag: "AskCandidates", id: 3, kind: "command", query: "cl" }
    ])
    expect(candidatesArrived(prompt, { id: 2, candidates: COMMANDS }).completion.menu).toBeUndefined()
    const answered = candidatesArrived(prompt, { id: 3, candidates: COMMANDS })
    expect(names(answered.completion.menu?.items ?? [])).toEqual(["clear"])
  })

  it("narrows what it has while the next answer is awaited", () => {
    expect(names(type(opened("/"), "co").prompt.completion.menu?.items ?? [])).toEqual(["compact"])
  })

  it("accepts with Tab, and with Enter runs what is complete", () => {
    const accepted = type(opened("/mo"), "<Tab>")
    expect([shownText(accepted.prompt), accepted.prompt.completion.menu]).toEqual(["/model |", undefined])
    expect(sent(type(opened("/mo"), "<CR>"))).toEqual([])
    expect(sent(type(opened("/cl"), "<CR>"))).toEqual(["prompt:/clear"])
  })

  it("accepts the item that is clicked", () => {
    expect(shownText(acceptItem(opened("/c"), 1, 0))).toBe("/compact |")
  })

  it("moves the choice round and by pages", () => {
    const at = (keys: string): number | undefined => type(opened("/"), keys).prompt.completion.menu?.selected
    expect([at("<Down>"), at("<C-n><C-n><C-n>"), at("<Up>")]).toEqual([1, 0, 2])
    expect([at("<PageDown>"), at("<PageDown><PageUp>")]).toEqual([2, 0])
  })

  it("is dismissed by Escape: the text stays and the token gets no menu again", () => {
    const dismissed = type(opened("/c"), "<Esc>l")
    expect(plainText(dismissed.prompt)).toBe("/cl")
    expect([dismissed.prompt.completion.menu, dismissed.commands]).toEqual([undefined, []])
    expect(type(dismissed.prompt, "<C-u>/").commands).toHaveLength(1)
  })

  it("runs a shell line as typed unless a suggestion was picked", () => {
    const { prompt, commands } = type(fresh(choice), "!git")
    const asked = commands.at(-1)
    const suggested = candidatesArrived(prompt, {
      id: asked?._tag === "AskCandidates" ? asked.id : 0,
      candidates: [{ name: "git status", insert: "git status" }]
    })
    expect(sent(type(suggested, "<CR>"))).toEqual(["shell:git"])
    expect(plainText(type(suggested, "<Down><CR>").prompt)).toBe("git status")
    expect(plainText(type(suggested, "<Tab>").prompt)).toBe("git status")
  })
})
