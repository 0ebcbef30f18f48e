import { describe, expect, it } from "vitest"
import { InputReader } from "../../../../src/shell/interactive/terminal/input-reader.ts"
import type { InputEvent } from "../../../../src/tui/terminal/input/event.ts"

/** The decoder's state and timer beside a program that is sometimes busy. */

const BUSY_MS = 80

const busy = (): void => {
  const until = performance.now() + BUSY_MS
  while (performance.now() < until);
}

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)

describe("what comes right behind a paste", () => {
  it("is still pasted text when the program took long over the paste before it", () => {
    const events: Array<InputEvent> = []
    const reader = new InputReader({ bracketsPastes: true }, (event) => {
      events.push(event)
      busy()
    })
    reader.take(bytes("\u001b[200~harmless\u001b[201~"))
    reader.take(bytes("rm -rf x\r\u001b[201~"))
    reader.close()
    expect(events).toEqual([
      { _tag: "Paste", text: "harmless" },
      { _tag: "Paste", text: "rm -rf x\n" }
    ])
  })

  it("is typing when nothing more came", async () => {
    const told = new Promise<InputEvent>((resolve) => {
      const reader = new InputReader({ bracketsPastes: true }, (event) => {
        if (event._tag === "Key") resolve(event)
      })
      reader.take(bytes("\u001b[200~text\u001b[201~\r"))
    })
    expect(await told).toEqual({ _tag: "Key", stroke: "<CR>", kind: "press" })
  })
})

/** What a terminal that brackets pastes sends, piece by piece, as events. */
const eventsOf = (...chunks: ReadonlyArray<string>): ReadonlyArray<string> => {
  const events: Array<InputEvent> = []
  const reader = new InputReader({ bracketsPastes: true }, (event) => events.push(event))
  for (const chunk of chunks) reader.take(bytes(chunk))
  reader.close()
  return events.map((event) => (event._tag === "Key" ? event.stroke : event._tag === "Paste" ? event.text : event._tag))
}

const pasted = (text: string): string => `\u001B[200~${text}\u001B[201~`

describe("the first input", () => {
  it.each([
    ["text and Enter typed before the terminal was ours", ["hi\n"], ["h", "i", "<CR>"]],
    ["Enter typed after", ["hi\r"], ["h", "i", "<CR>"]],
    ["Ctrl+J as the first key", ["\n"], ["<C-j>"]],
    ["Ctrl+J later", ["a", "b\n"], ["a", "b", "<C-j>"]],
    ["a paste as the first thing", [pasted("one\r\ntwo\rthree\nfour")], ["one\ntwo\nthree\nfour"]],
    ["a paste in pieces as the first thing", ["\u001B[200~one\r", "\ntwo", "\u001B[201~"], ["one\ntwo"]]
  ])("%s", (_, chunks, events) => expect(eventsOf(...chunks)).toEqual(events))
})
