import * as fc from "fast-check"
import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { withAnswer, withoutAnswer } from "../../../../../src/shell/interactive/commands/desktop/answer-for-editor.ts"
import { atDesk, type Desk, isNotice, isTold, isToldThat } from "../../desk.ts"

const lines = fc
  .array(fc.constantFrom("# a heading", "", "text", "- item", "#", "# answer"), { maxLength: 6 })
  .map((each) => each.join("\n"))

describe("the last answer in the editor", () => {
  it("comes and goes without touching the prompt, headings included", () => {
    fc.assert(
      fc.property(lines, lines, (prompt, answer) => {
        expect(withoutAnswer(withAnswer(prompt, answer), answer)).toBe(prompt)
      })
    )
  })

  it("goes too when its mark was deleted", () => {
    const shown = withAnswer("# mine\ntext", "one\n\ntwo")
      .split("\n")
      .filter((line) => !line.startsWith("# ---"))
    expect(withoutAnswer(shown.join("\n"), "one\n\ntwo")).toBe("# mine\ntext")
  })

  const finished = isToldThat("Session", ({ news }) => news._tag === "Emitted" && news.emission._tag === "TurnFinished")

  const edit = async (desk: Desk, isWanted: boolean): Promise<string> => {
    const session = await desk.openSession()
    session.submit("@say the answer\n@say has two lines")
    await desk.until(finished)
    mkdirSync(desk.configHome, { recursive: true })
    writeFileSync(join(desk.configHome, ".claude.json"), JSON.stringify({ externalEditorContext: isWanted }))
    const seen = join(desk.cwd, "seen")
    Object.assign(desk.plan.env, {
      VISUAL: `f() { cat "$1" > ${seen}; printf 'changed\\n' | cat - "$1" > ${seen}.2; cat ${seen}.2 > "$1"; }; f`
    })
    desk.performer.perform({ _tag: "EditDraft", session: session.facts.sessionId, text: "# draft", line: 1 })
    const { text } = await desk.until(isTold("DraftEdited"))
    expect(text).toBe("changed\n# draft")
    return readFileSync(seen, "utf8")
  }

  it("is shown to whoever wants it, and to nobody else", async () => {
    await atDesk(async (desk) => {
      expect(await edit(desk, true)).toContain("# the answer\n# has two lines\n")
    })()
    await atDesk(async (desk) => {
      expect(await edit(desk, false)).toBe("# draft")
    })()
  })

  it(
    "is not an excuse for an editor that takes the file away",
    atDesk(
      async (desk) => {
        desk.performer.perform({ _tag: "EditDraft", session: "s", text: "draft", line: 1 })
        await desk.until(isNotice("left no file behind; nothing was changed"))
        expect(desk.heard.some(isTold("DraftEdited"))).toBe(false)
      },
      { env: { VISUAL: 'f() { rm "$1"; }; f' } }
    )
  )
})
