import { chmodSync, existsSync, lstatSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterEach, describe, expect, it } from "vitest"
import type { RevertAction, Intent } from "../../../../../src/tui/model/undoable-actions.ts"
import { fileDiff } from "../../../../../src/tui/text/diff/diff-source.ts"
import { type Desk, isNotice, isTold, openDesk } from "../../desk.ts"

/** Reverting hunks in real files. */

let desk: Desk | undefined
afterEach(async () => desk?.close())

const deedOf = (path: string, before: string, after: string): RevertAction => {
  const [hunk] = fileDiff(path, before, after).hunks
  if (hunk === undefined) throw new Error("no change")
  const change = before === "" ? { change: "created" as const } : after === "" ? { change: "deleted" as const } : {}
  return { _tag: "Reverted", path, hunk, ...change }
}

const at = (): Desk => (desk = openDesk())

const turn = async (room: Desk, deed: RevertAction, by: Intent): Promise<void> => {
  const before = room.heard.length
  room.performer.perform({ _tag: "TurnHunk", session: "none", deed, by })
  await expect.poll(() => room.heard.slice(before).find(isTold("HunkTurned"))).toMatchObject({ deed, by })
}

describe("a hunk that is reverted", () => {
  it("leaves line ends, byte order mark, mode and the rest of the file as they are", async () => {
    const room = at()
    const path = join(room.cwd, "a.txt")
    writeFileSync(path, "\uFEFFone\r\n2\r\nthree")
    chmodSync(path, 0o755)
    const deed = deedOf("a.txt", "one\ntwo\nthree", "one\n2\nthree")
    await turn(room, deed, "do")
    expect(readFileSync(path, "utf8")).toBe("\uFEFFone\r\ntwo\r\nthree")
    expect(statSync(path).mode & 0o777).toBe(0o755)
    await turn(room, deed, "undo")
    expect(readFileSync(path, "utf8")).toBe("\uFEFFone\r\n2\r\nthree")
  })

  it("takes a new file away and brings it back; a deleted one the other way", async () => {
    const room = at()
    const path = join(room.cwd, "new.txt")
    writeFileSync(path, "hello\n")
    await turn(room, deedOf("new.txt", "", "hello\n"), "do")
    expect(existsSync(path)).toBe(false)
    await turn(room, deedOf("new.txt", "", "hello\n"), "undo")
    expect(readFileSync(path, "utf8")).toBe("hello\n")
    const gone = join(room.cwd, "sub", "gone.txt")
    await turn(room, deedOf("sub/gone.txt", "was here", ""), "do")
    expect(readFileSync(gone, "utf8")).toBe("was here")
    await turn(room, deedOf("sub/gone.txt", "was here", ""), "undo")
    expect(existsSync(gone)).toBe(false)
  })

  it("is written through a link, which stays one", async () => {
    const room = at()
    writeFileSync(join(room.cwd, "real.txt"), "b\n")
    symlinkSync("real.txt", join(room.cwd, "link.txt"))
    await turn(room, deedOf("link.txt", "a\n", "b\n"), "do")
    expect(readFileSync(join(room.cwd, "real.txt"), "utf8")).toBe("a\n")
    expect(lstatSync(join(room.cwd, "link.txt")).isSymbolicLink()).toBe(true)
  })

  it.each([
    ["was changed since", "other\n"],
    ["line ends of two kinds", "b\r\nc\n"],
    ["is not text", "b\n\u0000\u0000"]
  ])("is refused with words where the file %s, and nothing is written", async (words, content) => {
    const room = at()
    const path = join(room.cwd, "f.txt")
    writeFileSync(path, content)
    const told = room.until(isNotice(words))
    room.performer.perform({ _tag: "TurnHunk", session: "none", deed: deedOf("f.txt", "a\n", "b\n"), by: "do" })
    await told
    expect(readFileSync(path, "utf8")).toBe(content)
    expect(room.heard.some(isTold("HunkTurned"))).toBe(false)
  })
})
