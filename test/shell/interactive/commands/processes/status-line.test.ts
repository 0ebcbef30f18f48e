import { readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import type { SessionHandle } from "../../../../../src/shell/session/session-handle.ts"
import { atDesk, type Desk, isToldThat } from "../../desk.ts"

const withCommand = async (desk: Desk, command: string, more: object = {}): Promise<SessionHandle> => {
  await desk.plan.settings.change("userSettings", [{ path: ["statusLine"], value: { type: "command", command, ...more } }])
  return desk.openSession()
}

const ask = (desk: Desk, session: SessionHandle, vim?: string): void =>
  desk.performer.perform({
    _tag: "RunStatusLine",
    session: session.facts.sessionId,
    title: "a name",
    vim,
    size: { columns: 91, rows: 33 },
    linesAdded: 3,
    linesRemoved: 1
  })

const said = (fits: (text: string) => boolean) => isToldThat("StatusLineSaid", ({ text }) => fits(text))
const finished = isToldThat("Session", ({ news }) => news._tag === "Emitted" && news.emission._tag === "TurnFinished")

describe("the command of the status line", () => {
  it(
    "is told about the session and the screen, and its words are shown",
    atDesk(async (desk) => {
      const session = await withCommand(desk, `cat > ${join(desk.cwd, "in.json")}; echo "$COLUMNS x $LINES"`)
      session.submit("@say hello")
      await desk.until(finished)
      ask(desk, session, "NORMAL")
      await desk.until(said((text) => text === "91 x 33\n"))
      expect(JSON.parse(readFileSync(join(desk.cwd, "in.json"), "utf8"))).toMatchObject({
        cwd: desk.cwd,
        session_id: session.facts.sessionId,
        session_name: "a name",
        transcript_path: session.facts.transcriptPath,
        model: { id: "offline" },
        workspace: { current_dir: desk.cwd, project_dir: desk.cwd, added_dirs: [] },
        cost: { total_cost_usd: 0, total_lines_added: 3, total_lines_removed: 1 },
        context_window: { context_window_size: 200_000, current_usage: { output_tokens: expect.any(Number) as number } },
        vim: { mode: "NORMAL" },
        permission_mode: "default"
      })
    })
  )

  it(
    "runs once for changes in quick succession",
    atDesk(async (desk) => {
      const session = await withCommand(desk, `echo run >> ${join(desk.cwd, "runs")}; echo ok`)
      for (let count = 0; count < 5; count++) ask(desk, session)
      await desk.until(said((text) => text === "ok\n"))
      expect(readFileSync(join(desk.cwd, "runs"), "utf8")).toBe("run\n")
    })
  )

  it(
    "leaves a blank row when it fails, and is complained about once",
    atDesk(async (desk) => {
      const session = await withCommand(desk, "echo words; echo no good >&2; exit 4", { refreshInterval: 1 })
      ask(desk, session)
      await desk.until(said((text) => text === ""))
      await expect.poll(() => desk.heard.filter(said(() => true)).length, { timeout: 10_000 }).toBeGreaterThan(1)
      const complaints = desk.heard.filter(isToldThat("Told", ({ notice }) => notice.text.startsWith("statusLine:")))
      expect(complaints).toMatchObject([
        { notice: { text: "statusLine: it ended with status 4: no good", priority: "low" } }
      ])
    })
  )
})
