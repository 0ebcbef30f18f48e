import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import type { SessionHandle } from "../../../../../src/shell/session/session-handle.ts"
import { atDesk, type Desk, isNotice, isToldThat } from "../../desk.ts"

const suggestWith = async (desk: Desk, command: string, more: object = {}): Promise<SessionHandle> => {
  const path = ["fileSuggestion"]
  await desk.plan.settings.change("userSettings", [{ path, value: { type: "command", command } }])
  await desk.plan.settings.change(
    "userSettings",
    Object.entries(more).map(([key, value]) => ({ path: key.split("."), value }))
  )
  return desk.openSession()
}

let request = 5_000

const find = (desk: Desk, session: SessionHandle, query: string, isMention = true) => {
  const mine = ++request
  desk.performer.perform({ _tag: "FindFiles", session: session.facts.sessionId, query, request: mine, isMention })
  return desk.until(isToldThat("FilesFound", (found) => found.request === mine))
}

describe("the user's own command for files", () => {
  it(
    "is asked with what is typed, and its order is kept",
    atDesk(async (desk) => {
      const session = await suggestWith(desk, `cat > ${join(desk.cwd, "in.json")}; printf 'z.ts\\r\\n\\na.ts\\n'`)
      const found = await find(desk, session, "que")
      expect(found).toMatchObject({ paths: ["z.ts", "a.ts"], isSuggested: true })
      expect(JSON.parse(readFileSync(join(desk.cwd, "in.json"), "utf8"))).toMatchObject({
        query: "que",
        cwd: desk.cwd,
        session_id: session.facts.sessionId
      })
    })
  )

  it(
    "shows fifteen at most, and nothing that rules keep from reading",
    atDesk(async (desk) => {
      const session = await suggestWith(desk, "echo secret/key.txt; seq 1 40", { "permissions.deny": ["Read(./secret/**)"] })
      const { paths } = await find(desk, session, "")
      expect(paths).toHaveLength(15)
      expect(paths).not.toContain("secret/key.txt")
    })
  )

  it(
    "gives way to the built-in list when it fails, and is complained about once",
    atDesk(async (desk) => {
      writeFileSync(join(desk.cwd, "real.txt"), "")
      const session = await suggestWith(desk, "echo nope; echo broken >&2; exit 3")
      expect((await find(desk, session, "rea")).paths).toEqual(["real.txt"])
      expect((await find(desk, session, "real")).paths).toEqual(["real.txt"])
      await desk.until(isNotice("fileSuggestion: it ended with status 3: broken"))
      expect(desk.heard.filter(isNotice("fileSuggestion"))).toHaveLength(1)
    })
  )

  it(
    "is not asked for paths of a command line",
    atDesk(async (desk) => {
      writeFileSync(join(desk.cwd, "real.txt"), "")
      const session = await suggestWith(desk, "echo other")
      expect((await find(desk, session, "rea", false)).paths).toEqual(["real.txt"])
    })
  )
})
