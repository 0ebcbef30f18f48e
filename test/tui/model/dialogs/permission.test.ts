import { pressKey } from "../../../support/dialog-keys.ts"
import { describe, expect, it } from "vitest"
import type { PermissionQuestion } from "../../../../src/core/loop/machine/command.ts"
import type { Decision } from "../../../../src/core/permission/verdict.ts"
import {
  choicesOf,
  openPermission,
  type PermissionDialog,
  type PermissionOutcome,
  fieldIn,
  updatePermission,
  withField
} from "../../../../src/tui/model/dialogs/permission-state.ts"

/** The permission dialog as a value: keys in, an answer out. */

const DECISION: Decision = { verdict: "ask", reason: { type: "other", sentence: "no rule allows it" } }

const question = (decision: Partial<Decision> = {}): PermissionQuestion => ({
  callId: "call-1",
  tool: "Bash",
  input: { command: "npm run lint" },
  summary: "npm run lint",
  decision: { ...DECISION, ...decision },
  suggestions: [
    {
      type: "addRules",
      rules: [{ toolName: "Bash", ruleContent: "npm run lint *" }],
      behavior: "allow",
      destination: "localSettings"
    }
  ]
})

const press = (asked: PermissionQuestion, strokes: ReadonlyArray<string>): PermissionOutcome => {
  let outcome: PermissionOutcome = { _tag: "Open", dialog: openPermission(asked) }
  for (const stroke of strokes) {
    if (outcome._tag !== "Open") return outcome
    const dialog: PermissionDialog = outcome.dialog
    const next: PermissionOutcome | undefined = pressKey<PermissionOutcome>(stroke, {
      contexts: ["Confirmation"],
      field: fieldIn(dialog),
      put: (field) => ({ _tag: "Open", dialog: withField(dialog, field) }),
      act: (id) => updatePermission(dialog, asked, { id, isCut: () => false })
    })
    outcome = next ?? outcome
  }
  return outcome
}

const dialogAfter = (asked: PermissionQuestion, strokes: ReadonlyArray<string>): PermissionDialog => {
  const outcome = press(asked, strokes)
  if (outcome._tag !== "Open") throw new Error("it is not open any more")
  return outcome.dialog
}

const labels = (asked: PermissionQuestion, strokes: ReadonlyArray<string>): ReadonlyArray<string> =>
  choicesOf(asked, dialogAfter(asked, strokes)).map(({ label }) => label)

const savedBy = (strokes: ReadonlyArray<string>): unknown => {
  const outcome = press(question(), strokes)
  return outcome._tag === "Answered" && outcome.answer.behavior === "allow" ? outcome.answer.updates : undefined
}

describe("don't ask again", () => {
  it("says what would be saved and where, and s goes through the places", () => {
    const asked = question()
    expect(labels(asked, [])[1]).toBe("Yes, always in this project: Bash(npm run lint *)")
    expect(labels(asked, ["s"])[1]).toContain("in this project, for everyone")
    expect(labels(asked, ["s", "s"])[1]).toContain("in all your projects")
    expect(labels(asked, ["s", "s", "s"])[1]).toContain("in this session")
    expect(labels(asked, ["s", "s", "s", "s"])).toEqual(labels(asked, []))
  })

  it.each([
    [["2"], "localSettings", "npm run lint *"],
    [["s", "2"], "projectSettings", "npm run lint *"],
    [["s", "s", "2"], "userSettings", "npm run lint *"],
    [["e", "<BS>", "<BS>", "<BS>", ")", "<CR>", "s", "2"], "projectSettings", "npm run lint"]
  ])("%j saves to %s", (strokes, destination, ruleContent) => {
    expect(savedBy(strokes)).toMatchObject([{ destination, rules: [{ toolName: "Bash", ruleContent }] }])
  })

  it("keeps each part where it was proposed to be, until another place is chosen for all", () => {
    const asked: PermissionQuestion = {
      ...question(),
      suggestions: [
        ...question().suggestions,
        {
          type: "addRules",
          rules: [{ toolName: "Edit", ruleContent: "//work/out.txt" }],
          behavior: "allow",
          destination: "session"
        }
      ]
    }
    const placesAfter = (strokes: ReadonlyArray<string>) => {
      const outcome = press(asked, strokes)
      if (outcome._tag !== "Answered" || outcome.answer.behavior !== "allow") throw new Error("it was not allowed")
      return outcome.answer.updates?.map(({ destination }) => destination)
    }
    expect(labels(asked, [])[1]).toBe(
      "Yes, always in this project: Bash(npm run lint *); in this session: Edit(//work/out.txt)"
    )
    expect(placesAfter(["2"])).toEqual(["localSettings", "session"])
    expect(placesAfter(["s", "2"])).toEqual(["localSettings", "localSettings"])
  })

  it.each(["foo \\(x\\)", "foo \\", "foo (x", "a\\\\b"])(
    "a rule that is edited and left as it was stays what it was: %j",
    (ruleContent) => {
      const suggestions = [
        { type: "addRules", rules: [{ toolName: "Bash", ruleContent }], behavior: "allow", destination: "session" }
      ] as const
      const outcome = press({ ...question(), suggestions }, ["e", "<CR>", "2"])
      expect(outcome).toMatchObject({ answer: { updates: [{ rules: [{ toolName: "Bash", ruleContent }] }] } })
    }
  )

  it("does not save what is not a rule", () => {
    expect(dialogAfter(question(), ["e", "<BS>", "<CR>", "2"]).problem).toContain("not a rule")
  })

  it("is not offered for what no rule may allow, and Enter alone does not allow it", () => {
    const asked = question({ immune: true })
    expect(labels(asked, [])).toEqual(["Yes", "No"])
    expect(press(asked, ["<CR>"])).toMatchObject({ answer: { behavior: "deny" } })
    expect(dialogAfter(asked, ["k", "<CR>"]).problem).toContain("press the number")
  })
})

describe("what needs to be meant", () => {
  const dangerous = question({ loss: "uncommitted changes" })

  it.each([
    [["<CR>"]],
    [["k", "k", "<CR>"]],
    [["k", "<CR>"]],
    [["k", "k", "<Tab>", "<CR>"]],
    [["k", "k", "<Tab>", "o", "k", "<CR>"]]
  ])("is not allowed by Enter: %j", (strokes) => {
    const outcome = press(dangerous, strokes)
    expect(outcome._tag === "Answered" ? outcome.answer.behavior : "open").not.toBe("allow")
  })

  it("is allowed by its number or y, with the comment that was typed", () => {
    const outcome = press(dangerous, ["k", "k", "<Tab>", "o", "k", "<CR>", "y"])
    expect(outcome).toMatchObject({ _tag: "Answered", answer: { behavior: "allow" }, aside: "ok" })
  })
})

describe("shift+tab", () => {
  const edit: PermissionQuestion = {
    ...question(),
    tool: "Edit",
    input: {},
    suggestions: [{ type: "setMode", mode: "acceptEdits", destination: "session" }]
  }

  it("takes the offer for the whole session, where there is one", () => {
    expect(press(edit, ["<S-Tab>"])).toMatchObject({ answer: { behavior: "allow", updates: [{ type: "setMode" }] } })
    expect(press({ ...edit, suggestions: [] }, ["<S-Tab>"])._tag).toBe("Open")
  })

  it("closes a comment first, and allows nothing that needs to be meant", () => {
    expect(press(edit, ["<Tab>", "x", "<S-Tab>"])).toMatchObject({ dialog: { typing: "nothing" } })
    const grave = { ...edit, decision: { ...edit.decision, loss: "work" } }
    expect(press(grave, ["<S-Tab>"])._tag).toBe("Open")
  })
})
