import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { makePlace } from "../../support/built-cli.ts"
import { endpointEnv, serve } from "../../support/e2e-world.ts"
import { text, toolUse } from "../../support/messages-reply.ts"
import { KEY, TuiTerminal, type TuiOptions } from "../../support/tui-terminal.ts"

/** The transcript with vim keys: search, yank of the source, folds, zoom, splits. */

const TABLE = `| name | what it is, in many words that make the table wider than the pane it is shown in |
| --- | --- |
| pearl | made of nacre, layer by layer, over years and years in the sea |`
const CODE = 'const answer = 42\nconst needle = "in code"'
const ANSWER = `A needle in prose.\n\n${TABLE}\n\n\`\`\`ts\n${CODE}\n\`\`\`\n\nThe second Needle is at the end.`

const withAnswer = async (options: TuiOptions = {}): Promise<TuiTerminal> => {
  const server = await serve([text(ANSWER)])
  const terminal = await TuiTerminal.ready({ ...options, env: { ...endpointEnv(server), ...options.env } })
  terminal.type("tell me\r")
  await terminal.shows("at the end.")
  await terminal.hides("esc to interrupt")
  terminal.type(`${KEY.window}t`)
  return terminal
}

/** The text of the last request to the terminal to take it into the clipboard. */
const copied = async (terminal: TuiTerminal, from: number): Promise<string> => {
  const [, encoded = ""] = await terminal.wrote(/\u001B\]52;c;([A-Za-z\d+/=]*)(?:\u0007|\u001B\\)/, from)
  return Buffer.from(encoded, "base64").toString("utf8")
}

describe.concurrent("reading", () => {
  it("searches from match to match, around the end, and back", async () => {
    const terminal = await withAnswer()
    terminal.type("/needle")
    await terminal.shows(/\/ ?needle/)
    terminal.type("\r")
    await terminal.shows(/\d\/3/)
    const counts: Array<string> = []
    for (const key of ["n", "n", "N"]) {
      const before = /(\d)\/3/.exec(terminal.text)?.[0] ?? ""
      terminal.type(key)
      const isOther = (screen: string): boolean => /\d\/3/.test(screen) && !screen.includes(` ${before} `)
      await terminal.shows(isOther, `a match other than ${before}`)
      counts.push(/(\d)\/3/.exec(terminal.text)?.[0] ?? "")
    }
    expect(new Set(counts).size).toBe(2)
    expect(counts[0]).toBe(counts[2])
    terminal.type("/nowhere\r")
    await terminal.shows(/not found|no match/i)
  })

  it("yanks the source of what is drawn: a table, a code block, the message", async () => {
    const terminal = await withAnswer()
    const from = (): number => terminal.raw.length
    let start = from()
    terminal.type("/pearl\ryio")
    expect((await copied(terminal, start)).trim()).toBe(TABLE)
    start = from()
    terminal.type("/42\ryic")
    expect((await copied(terminal, start)).trim()).toBe(CODE)
    start = from()
    terminal.type("yim")
    expect((await copied(terminal, start)).trim()).toBe(ANSWER)
    // It says which way the text went; the terminal itself never confirms.
    await terminal.shows("OSC 52")
  })

  it("opens and closes folds", async () => {
    const place = makePlace()
    writeFileSync(join(place.cwd, "long.txt"), Array.from({ length: 60 }, (_, index) => `row ${index + 1}`).join("\n"))
    const server = await serve([toolUse("Bash", { command: "cat long.txt" }), text("that was it")])
    const args = ["--permission-mode", "bypassPermissions"]
    const terminal = await TuiTerminal.ready({ place, env: endpointEnv(server), args, rows: 40, columns: 90 })
    terminal.type("show it\r")
    await terminal.shows("that was it")
    await terminal.shows(/… \d+ more lines/)
    expect(terminal.text).not.toContain("row 30\n")
    terminal.type(`${KEY.window}tzR`)
    await terminal.hides("more lines")
    terminal.type("/row 30\r")
    await terminal.shows("row 30\n")
    terminal.type("zM")
    await terminal.hides("row 30\n")
  })

  it("zooms, splits, closes and comes back", async () => {
    const terminal = await withAnswer({ columns: 120, rows: 40 })
    await terminal.shows("changes: this session")
    terminal.type(`${KEY.ctrlW}z`)
    await terminal.hides("changes: this session")
    terminal.type(`${KEY.ctrlW}z`)
    await terminal.shows("changes: this session")
    terminal.type(`${KEY.ctrlW}v`)
    await terminal.shows("context")
    terminal.type("/context\r\r")
    await terminal.shows(/▸ context/)
    terminal.type(`${KEY.ctrlW}c`)
    await terminal.shows((screen) => !/▸ context/.test(screen), "the split closed")
    terminal.type(`${KEY.ctrlW}d`)
    await terminal.shows(/▸ changes/)
    terminal.type("q")
    await terminal.shows(/▸ prompt/)
  })

  it("opens another pane beside the transcript at 80x24 and gives the place back", async () => {
    const terminal = await withAnswer()
    terminal.type(`${KEY.ctrlW}g`)
    await terminal.shows(/▸ tasks/)
    terminal.type(KEY.escape)
    await terminal.hides("▸ tasks")
  })

  it("completes a file after @ and sends the mention", async () => {
    const place = makePlace()
    mkdirSync(join(place.cwd, "src"))
    writeFileSync(join(place.cwd, "src", "oyster.ts"), "export {}\n")
    const terminal = await TuiTerminal.ready({ place })
    terminal.type("read @oys")
    await terminal.shows(/src\/oyster\.ts/)
    terminal.type(KEY.tab)
    await terminal.shows("> read @src/oyster.ts")
  })

  it("shows the keys, filters them, and closes", async () => {
    const terminal = await TuiTerminal.ready()
    terminal.type("?")
    await terminal.shows("═ Keys ")
    terminal.type("permission mode")
    await terminal.shows("filter: permission mode")
    expect(terminal.text).toContain("shift+tab")
    terminal.type(KEY.escape)
    await terminal.hides("═ Keys ")
  })
})
