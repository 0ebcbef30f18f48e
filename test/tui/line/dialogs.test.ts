import { describe, expect, it } from "vitest"
import type { PermissionQuestion } from "../../../src/core/loop/machine/command.ts"
import type { Dialog } from "../../../src/tui/line/dialogs/dialog.ts"
import { permissionDialog } from "../../../src/tui/line/dialogs/permission-dialog.ts"
import { questionDialog } from "../../../src/tui/line/dialogs/question-dialog.ts"

const options = { cancelKey: "Escape" }

const asking = (fields: Partial<PermissionQuestion> = {}): PermissionQuestion => ({
  callId: "toolu_1",
  tool: "Bash",
  input: { command: "make all" },
  summary: "make all",
  decision: { verdict: "ask", reason: { type: "other", sentence: "no rule allows it" } },
  suggestions: [
    {
      type: "addRules",
      rules: [{ toolName: "Bash", ruleContent: "make *" }],
      behavior: "allow",
      destination: "localSettings"
    }
  ],
  ...fields
})

const answerTo = (dialog: Dialog, line: string) => {
  const reading = dialog.read(line)
  return reading._tag === "Answered" ? reading.answer : undefined
}

describe("the permission dialog", () => {
  const dialog = permissionDialog(asking(), options)

  it("lists what would run, why it asks and the choices", () => {
    expect(dialog.lines).toEqual([
      "Permission Required: Bash",
      "  make all",
      "Why: no rule allows it",
      "1. Yes",
      "2. Yes, always in this project: Bash(make *)",
      "3. No"
    ])
    expect(dialog.hint).toContain("(1-3)")
  })

  it("says where it would run, and how far it would be held back", () => {
    const placed = permissionDialog(asking(), { ...options, where: "/work\u202e · no sandbox" })
    expect(placed.lines[2]).toMatch(/^In: \/work.+ · no sandbox$/)
    expect(placed.lines.join("")).not.toContain("\u202e")
  })

  it("takes numbers, yes and no", () => {
    expect(answerTo(dialog, "1")).toEqual({ behavior: "allow" })
    expect(answerTo(dialog, " YES ")).toEqual({ behavior: "allow" })
    expect(answerTo(dialog, "2")).toMatchObject({ behavior: "allow", updates: [{ type: "addRules" }] })
    expect(answerTo(dialog, "3")).toMatchObject({ behavior: "deny" })
    expect(answerTo(dialog, "n")).toMatchObject({ behavior: "deny" })
  })

  it("never takes anything else for a yes", () => {
    for (const line of ["", "0", "4", "11", " "]) expect(dialog.read(line)._tag).toBe("Again")
    for (const line of ["1.", "1 ", "yes please", "ok", "-1", "١"]) {
      const answer = answerTo(dialog, line)
      if (line.trim() !== "1") expect(answer?.behavior).toBe("deny")
    }
  })

  it("passes words of refusal on to the model", () => {
    const message = expect.stringContaining("use ninja")
    expect(answerTo(dialog, "use ninja")).toMatchObject({ behavior: "deny", message })
  })

  it("offers to remember nothing where that would not help", () => {
    const immune = asking({ decision: { ...asking().decision, immune: true } })
    expect(permissionDialog(immune, options).lines.slice(-2)).toEqual(["1. Yes", "3. No"])
    expect(permissionDialog(asking({ suggestions: [] }), options).lines.slice(-2)).toEqual(["1. Yes", "3. No"])
    // Every answer keeps its number: what says no where a rule is offered never says yes, and 2 chooses nothing here.
    const plain = permissionDialog(asking({ suggestions: [] }), options)
    expect(plain.hint).toContain("(1, 3)")
    expect(plain.read("2")).toEqual({ _tag: "Again", why: "There is no choice 2." })
    expect(answerTo(plain, "3")).toMatchObject({ behavior: "deny" })
  })

  it("shows an edit as what goes and what comes, and every other field by name", () => {
    const edit = asking({
      tool: "Edit",
      input: { file_path: "/w/a.ts", old_string: "one\n", new_string: "two\nthree", replace_all: true }
    })
    expect(permissionDialog(edit, options).lines.slice(1, 6)).toEqual([
      "  /w/a.ts",
      "  - one",
      "  + two",
      "  + three",
      "  replace_all: true"
    ])
    const fetch = asking({ tool: "WebFetch", input: { url: "https://x.test", prompt: "why?" } })
    expect(permissionDialog(fetch, options).lines.slice(1, 3)).toEqual(["  url: https://x.test", "  prompt: why?"])
  })

  it("makes control characters visible and says when something is left out", () => {
    const command = `echo \u001b[2J\n${"line\n".repeat(60)}`
    const { lines } = permissionDialog(asking({ input: { command } }), options)
    expect(lines[1]).toBe("  echo ^[[2J")
    expect(lines.some((line) => /\(\d+ more lines\)/.test(line))).toBe(true)
    expect(lines.join("")).not.toContain("\u001b")
  })

  it("keeps nothing of a long call back from somebody who wants to read it", () => {
    const command = `${"x".repeat(4_100)}\n${"line\n".repeat(60)}rm -rf \u3164`
    const dialog = permissionDialog(asking({ input: { command } }), options)
    expect(dialog.lines.join("\n")).not.toContain("rm -rf")
    expect(dialog.hint).toContain("all to read the whole call")
    const reading = dialog.read("all")
    if (reading._tag !== "Next") throw new Error("it was not shown")
    expect(reading.dialog.lines).toContain("  rm -rf <U+3164>")
    expect(reading.dialog.hint).not.toContain("all")
    expect(reading.dialog.read("1")).toMatchObject({ _tag: "Answered", answer: { behavior: "allow" } })
  })
})

describe("the dialog for questions", () => {
  const colour = {
    question: "Which colours?",
    header: "Colour",
    options: [
      { label: "Red", description: "Warm", preview: "#f00" },
      { label: "Blue", description: "" }
    ],
    multiSelect: true
  }
  const size = {
    question: "Which size?",
    header: "Size",
    options: [
      { label: "Small", description: "" },
      { label: "Large", description: "" }
    ]
  }
  const ask = (...questions: ReadonlyArray<unknown>): Dialog => {
    const dialog = questionDialog(asking({ tool: "AskUserQuestion", input: { questions } }), options)
    if (dialog === undefined) throw new Error("no dialog")
    return dialog
  }

  it("exists only for questions", () => {
    expect(questionDialog(asking(), options)).toBeUndefined()
    expect(questionDialog(asking({ tool: "AskUserQuestion", input: { questions: "none" } }), options)).toBeUndefined()
  })

  it("lists choices with their meaning and preview", () => {
    expect(ask(colour).lines).toEqual(["Question: Which colours?", "1. Red: Warm", "    #f00", "2. Blue"])
  })

  it("takes several numbers where several may be chosen, in the order of the list and once each", () => {
    const both = { updatedInput: { answers: { "Which colours?": "Red, Blue" } } }
    expect(answerTo(ask(colour), "2, 1,2")).toMatchObject(both)
    expect(answerTo(ask(size), "1, 2")).toMatchObject({ updatedInput: { answers: { "Which size?": "1, 2" } } })
  })

  it("takes own words, and asks again for nothing or a number too high", () => {
    expect(answerTo(ask(size), "medium")).toMatchObject({ updatedInput: { answers: { "Which size?": "medium" } } })
    for (const line of ["", "3", "0"]) expect(ask(size).read(line)._tag).toBe("Again")
    expect(ask(colour).read("1, 9")).toEqual({ _tag: "Again", why: "There is no choice 9." })
  })

  it("asks one after the other and answers all at once", () => {
    const first = ask(colour, size)
    expect(first.lines[0]).toBe("Question 1 of 2: Which colours?")
    const reading = first.read("1")
    if (reading._tag !== "Next") throw new Error("there is a second question")
    expect(reading.dialog.lines[0]).toBe("Question 2 of 2: Which size?")
    expect(answerTo(reading.dialog, "2")).toEqual({
      behavior: "allow",
      updatedInput: { questions: [colour, size], answers: { "Which colours?": "Red", "Which size?": "Large" } }
    })
  })
})
