import { execFileSync } from "node:child_process"
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { Notifier } from "../../../src/shell/interactive/commands/desktop/notifier.ts"
import { makeContext } from "../../../src/shell/interactive/commands/context/command-context.ts"
import type { Happening } from "../../../src/tui/model/msg.ts"
import { atDesk, type Desk, isNotice, isTold } from "./desk.ts"

const program = (desk: Desk, name: string, script: string): string => {
  const directory = join(desk.cwd, "..", "bin")
  mkdirSync(directory, { recursive: true })
  writeFileSync(join(directory, name), `#!/bin/sh\n${script}\n`)
  chmodSync(join(directory, name), 0o755)
  return directory
}

const copy = (desk: Desk, text: string, what = "it"): void => desk.performer.perform({ _tag: "Copy", text, what })

describe("copying", () => {
  it(
    "says that it did not work, why, and where the text is",
    atDesk(async (desk) => {
      copy(desk, "text")
      await desk.until(isNotice("not copied: the terminal: it takes no text"))
      expect(readFileSync(join(desk.configHome, "nacre", "clipboard.txt"), "utf8")).toBe("text")
    })
  )

  it(
    "asks the terminal where it can, and says that it does not confirm",
    atDesk(
      async (desk) => {
        copy(desk, "text")
        await desk.until(isNotice("copied it: 4 bytes to the terminal"))
        expect(desk.sent).toEqual([{ op: "Clipboard", text: "text" }])
        copy(desk, "x".repeat(200_000))
        await desk.until(isNotice("too long"))
        expect(desk.sent).toHaveLength(1)
      },
      { caps: { clipboard: true } }
    )
  )

  it(
    "uses the desktop's own tool with both selections",
    atDesk(
      async (desk) => {
        const directory = program(desk, "xclip", `cat > "${desk.cwd}/$2"`)
        Object.assign(desk.plan.env, { PATH: `${directory}:${process.env["PATH"]}` })
        copy(desk, "héllo")
        await desk.until(isNotice("copied it: 6 bytes with xclip"))
        expect(readFileSync(join(desk.cwd, "clipboard"), "utf8")).toBe("héllo")
        expect(readFileSync(join(desk.cwd, "primary"), "utf8")).toBe("héllo")
      },
      { env: { DISPLAY: ":9" } }
    )
  )
})

describe("the user's editor", () => {
  const edit = (desk: Desk): void => desk.performer.perform({ _tag: "EditDraft", session: "s", text: "draft", line: 1 })

  it(
    "changes the prompt when it saved and ended well",
    atDesk(
      async (desk) => {
        edit(desk)
        expect(await desk.until(isTold("DraftEdited"))).toMatchObject({ session: "s", text: "draft and more" })
        expect(desk.lent()).toBe(1)
      },
      { env: { VISUAL: "f() { printf ' and more\\n' >> \"$1\"; }; f" } }
    )
  )

  it("leaves the prompt alone when it failed or is missing", async () => {
    await atDesk(
      async (desk) => {
        edit(desk)
        await desk.until(isNotice("ended with status 3"))
        expect(desk.heard.some(isTold("DraftEdited"))).toBe(false)
      },
      { env: { EDITOR: "exit 3;" } }
    )()
    await atDesk(
      async (desk) => {
        edit(desk)
        await desk.until(isNotice("was not found"))
      },
      { env: { EDITOR: "exit 3;", VISUAL: "no-such-editor" } }
    )()
  })

  it(
    "opens files at their line",
    atDesk(async (desk) => {
      const directory = program(desk, "vim", `echo "$1:$2" > ${desk.cwd}/seen; exit 1`)
      Object.assign(desk.plan.env, { EDITOR: join(directory, "vim") })
      desk.performer.perform({ _tag: "OpenFile", path: "src/a b.ts", line: 12 })
      await desk.until(isNotice("ended with status 1"))
      expect(readFileSync(join(desk.cwd, "seen"), "utf8")).toBe(`+12:${desk.cwd}/src/a b.ts\n`)
    })
  )
})

describe("files that the user names", () => {
  it(
    "are written once and never over another",
    atDesk(async (desk) => {
      const write = (text: string): void => desk.performer.perform({ _tag: "WriteFile", path: "~/out.md", text })
      write("first")
      await desk.until(isNotice("written to"))
      write("second")
      await desk.until(isNotice("exists. Fix: choose another name"))
      expect(readFileSync(join(desk.plan.home, "out.md"), "utf8")).toBe("first\n")
    })
  )

  it(
    "shows all of a long output, or both ends of one without measure",
    atDesk(async (desk) => {
      const path = join(desk.cwd, "all.txt")
      const show = (): void => desk.performer.perform({ _tag: "ShowOutput", session: "s", title: "Bash", path })
      const kept = `${"x".repeat(2 * 1024 * 1024)}\r\nend\n`
      writeFileSync(path, kept)
      show()
      expect((await desk.until(isTold("OutputLoaded"))).text).toBe(kept.replace("\r\n", "\n"))
      writeFileSync(path, `first\n${"y".repeat(9 * 1024 * 1024)}\nlast\n`)
      show()
      const isSecond = (told: Happening): told is Extract<Happening, { readonly _tag: "OutputLoaded" }> =>
        isTold("OutputLoaded")(told) && told.text.startsWith("first")
      const { text } = await desk.until(isSecond)
      expect(text.endsWith("\nlast\n")).toBe(true)
      expect(text).toContain(`left out; all of it is in ${path}]`)
    })
  )

  it(
    "come into the prompt as text",
    atDesk(async (desk) => {
      writeFileSync(join(desk.cwd, "in.txt"), "\uFEFFone\r\ntwo")
      execFileSync("mkfifo", [join(desk.cwd, "pipe")])
      const read = (path: string): void => desk.performer.perform({ _tag: "ReadIntoPrompt", session: "s", path })
      read("in.txt")
      expect(await desk.until(isTold("InsertText"))).toMatchObject({ text: "one\ntwo" })
      read("pipe")
      await desk.until(isNotice("is not a regular file"))
      read("missing")
      await desk.until(isNotice("ENOENT"))
      desk.performer.perform({ _tag: "ShowFile", session: "s", path: "in.txt" })
      expect(await desk.until(isTold("OutputLoaded"))).toMatchObject({ title: "in.txt", text: "one\ntwo" })
    })
  )
})

describe("remembering", () => {
  it(
    "keeps a file of one's own out of git and tells the conversation",
    atDesk(async (desk) => {
      execFileSync("git", ["init", "-q"], { cwd: desk.cwd })
      const session = await desk.openSession()
      for (const text of ["one", "two"]) {
        desk.performer.perform({ _tag: "WriteNote", session: session.facts.sessionId, place: "local", text })
      }
      const exclude = join(desk.cwd, ".git", "info", "exclude")
      while (!readFileSync(exclude, "utf8").includes("CLAUDE.local.md"))
        await new Promise((resolve) => setImmediate(resolve))
      expect(readFileSync(join(desk.cwd, "CLAUDE.local.md"), "utf8")).toBe("- one\n- two\n")
      expect(session.state().conversation.messages.length).toBe(2)
    })
  )

  it(
    "never replaces a file that it cannot read",
    atDesk(async (desk) => {
      const path = join(desk.cwd, "CLAUDE.md")
      writeFileSync(path, Buffer.from([0xe9, 0x0a]))
      const { facts } = await desk.openSession()
      desk.performer.perform({ _tag: "WriteNote", session: facts.sessionId, place: "project", text: "x" })
      await desk.until(isNotice("is not UTF-8 text"))
      expect(readFileSync(path)).toEqual(Buffer.from([0xe9, 0x0a]))
    })
  )
})

describe("calling the user", () => {
  const note = { _tag: "Notify", kind: "done", title: "nacre", body: "work: finished" } as const

  it(
    "happens once in ten seconds for each kind and session",
    atDesk(async (desk) => {
      let now = 0
      const terminal = {
        lend: <A>(use: (leaving: AbortSignal) => Promise<A>) => use(new AbortController().signal),
        redraw: () => {},
        suspend: () => {},
        quit: () => {}
      }
      const sent: Array<string> = []
      const context = makeContext({
        plan: desk.plan,
        application: desk.application,
        sessions: desk.sessions,
        tell: () => {},
        answerTrust: () => {},
        answerSettings: () => {},
        terminal: {
          ...terminal,
          sendOutOfBand: ({ op }) => sent.push(op),
          caps: () => {
            throw new Error("unused")
          },
          counters: () => {
            throw new Error("unused")
          }
        }
      })
      const notifier = new Notifier(context, () => now)
      notifier.notify(note)
      now = 9_999
      notifier.notify(note)
      expect(sent).toEqual(["Notify"])
      notifier.notify({ ...note, body: "other: finished" })
      notifier.notify({ ...note, kind: "failed" })
      now = 10_000
      notifier.notify(note)
      expect(sent).toHaveLength(4)
    })
  )

  it.each([
    ["terminal_bell", ["Bell"]],
    ["iterm2_with_bell", ["Notify", "Bell"]],
    ["notifications_disabled", []],
    ["auto", ["Notify"]]
  ])("with %s sends %j", async (preferredNotifChannel, expected) => {
    await atDesk(async (desk) => {
      writeFileSync(join(desk.configHome, "settings.json"), JSON.stringify({ preferredNotifChannel }))
      desk.plan.settings.reload()
      desk.performer.perform(note)
      expect(desk.sent.map(({ op }) => op)).toEqual(expected)
    })()
  })
})

describe("links", () => {
  it(
    "are opened when they are of the web",
    atDesk(
      async (desk) => {
        const directory = program(desk, "xdg-open", `echo "$1" > ${desk.cwd}/opened`)
        Object.assign(desk.plan.env, { PATH: `${directory}:${process.env["PATH"]}` })
        desk.performer.perform({ _tag: "OpenLink", url: "file:///etc/passwd" })
        await desk.until(isNotice("only web and mail links"))
        desk.performer.perform({ _tag: "OpenLink", url: "https://example.org/a?b" })
        while (!existsSync(join(desk.cwd, "opened"))) await new Promise((resolve) => setImmediate(resolve))
        expect(desk.heard.some(isNotice("was not opened"))).toBe(false)
      },
      { env: { DISPLAY: ":9" } }
    )
  )

  it(
    "are shown where there is no desktop",
    atDesk(
      async (desk) => {
        desk.performer.perform({ _tag: "OpenLink", url: "https://example.org/" })
        await desk.until(isNotice("https://example.org/"))
      },
      { env: { SSH_TTY: "/dev/pts/1" } }
    )
  )
})
