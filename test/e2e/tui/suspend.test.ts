import { execFileSync } from "node:child_process"
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { KEY, PROMPT, TuiTerminal } from "../../support/tui-terminal.ts"

/** Ends that the program did not choose, and pauses: the terminal is always usable afterwards. */

/** A shell in the terminal runs the program and goes on after it. It has no line editor that would restore the modes. */
const inShell = async (): Promise<TuiTerminal> => {
  const terminal = await TuiTerminal.start({ inShell: true })
  await terminal.shows(/^\$/)
  terminal.type("sh -c 'echo $$ > pid; exec $NACRE'\r")
  await terminal.shows(PROMPT)
  return terminal
}

const pidOf = ({ place }: TuiTerminal): number => Number(readFileSync(join(place.cwd, "pid"), "utf8"))

/** What the terminal was asked is answered and read: nothing of it is left for the shell when the program dies. */
const isListening = async (terminal: TuiTerminal): Promise<void> => {
  await terminal.shows(PROMPT)
  terminal.type("x")
  await terminal.shows("> x")
}

const expectUsable = async (terminal: TuiTerminal, { showsPrompt } = { showsPrompt: true }): Promise<void> => {
  await terminal.until(() => !terminal.emulator.modes().altScreen, "the main screen")
  await terminal.until(() => terminal.emulator.modes().mouse === "none", "no reports of the mouse")
  // The shell has the keyboard again: its prompt is the last thing on the screen. After a kill the shell and the guard
  // race, and the prompt may be left behind on the other screen; what is typed reaches the shell all the same.
  if (showsPrompt) await terminal.shows(/\n\$\s*$/)
  const from = terminal.raw.length
  terminal.type("stty -a; echo us''able\r")
  await terminal.wrote(/usable/, from)
  const settings = terminal.raw.slice(from)
  expect(settings.split(/[\s;]+/)).toEqual(expect.arrayContaining(["icanon", "echo", "isig", "icrnl", "opost"]))
  // What is typed is echoed by the terminal itself.
  expect(settings).toContain("echo us''able")
  expect(terminal.emulator.modes()).toMatchObject({ paste: false, focus: false, mouse: "none" })
}

describe.concurrent("a killed interface", () => {
  for (const signal of ["SIGKILL", "SIGTERM", "SIGHUP"] as const) {
    it(`leaves a usable terminal after ${signal}`, async () => {
      const terminal = await inShell()
      terminal.type("@say seen before the end\r")
      await terminal.shows(/\n seen before the end/)
      process.kill(pidOf(terminal), signal)
      await expectUsable(terminal, { showsPrompt: signal !== "SIGKILL" })
      terminal.type("$NACRE --continue\r")
      await terminal.shows(/\n seen before the end[\s\S]*Type a message/)
    })
  }

  it("leaves the main screen alone where it never left it", async () => {
    const terminal = await TuiTerminal.start({ inShell: true })
    await terminal.shows(/^\$/)
    terminal.type("echo mine; sh -c 'echo $$ > pid; exec $NACRE --inline'\r")
    await isListening(terminal)
    const from = terminal.raw.length
    process.kill(pidOf(terminal), "SIGKILL")
    await terminal.until(() => terminal.emulator.modes().mouse === "none" && !terminal.emulator.modes().paste, "modes off")
    terminal.type("echo still''here\r")
    await terminal.wrote(/stillhere/, from)
    expect(terminal.raw.slice(from)).not.toContain("\u001B[?1049l")
    expect(terminal.text).toContain("mine")
  })

  it("twice at once makes the next start inline, which says so", async () => {
    const terminal = await inShell()
    for (const isLast of [false, true]) {
      await isListening(terminal)
      process.kill(pidOf(terminal), "SIGKILL")
      await terminal.until(() => !terminal.emulator.modes().altScreen, "the main screen")
      terminal.type(isLast ? "$NACRE\r" : "sh -c 'echo $$ > pid; exec $NACRE'\r")
    }
    await terminal.shows(/full-screen starts failed/)
    expect(terminal.emulator.modes().altScreen).toBe(false)
  })

  for (const args of ["", "--ax-screen-reader"]) {
    it(`ends with the code of a hang-up when the terminal itself is gone ${args}`, async () => {
      const terminal = await TuiTerminal.start({ inShell: true })
      await terminal.shows(/^\$/)
      // This shell outlives its terminal to tell how the program ended.
      terminal.type(`sh -c 'trap "" HUP; $NACRE ${args}; echo $? > code'\r`)
      await terminal.shows(args === "" ? PROMPT : /^you:/m)
      terminal.kill()
      const code = join(terminal.place.cwd, "code")
      const isTold = (): boolean => existsSync(code) && readFileSync(code, "utf8").endsWith("\n")
      const giveUpAt = Date.now() + 10_000
      while (!isTold() && Date.now() < giveUpAt) await terminal.observe(20)
      expect(readFileSync(code, "utf8")).toBe("129\n")
    })
  }
})

describe.concurrent("suspending", () => {
  it("gives the terminal back for as long as it stops, and draws anew at the size it finds", async () => {
    const terminal = await inShell()
    terminal.type("half a thought")
    await terminal.shows("> half a thought")
    terminal.type(KEY.ctrlZ)
    await terminal.shows("Stopped")
    await expectUsable(terminal)
    expect(execFileSync("ps", ["-o", "stat=", "-p", String(pidOf(terminal))], { encoding: "utf8" })).toContain("T")
    terminal.resize(120, 40)
    terminal.type("fg\r")
    await terminal.shows(/changes: this session[\s\S]*> half a thought/)
    expect(terminal.emulator.modes()).toMatchObject({ altScreen: true, paste: true })
    terminal.type(", finished")
    await terminal.shows("> half a thought, finished")
  })
})
