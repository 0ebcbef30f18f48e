import { writeFileSync } from "node:fs"
import path from "node:path"
import { Effect } from "effect"
import { describe, expect, it } from "vitest"
import { layer } from "../../../src/adapters/records/node.ts"
import type { Message } from "../../../src/core/domain/message.ts"
import { type Records, type WriteStatus } from "../../../src/core/ports/Records.ts"
import { emptyChain, recordMessages } from "../../../src/core/session/transcript/chain.ts"
import { earlierParts } from "../../../src/shell/session/handle-parts.ts"
import { context, Maker, uuidsOf } from "../../support/session/build.ts"
import { makeDirectory } from "../../support/session/disk.ts"

const TURNS = 400
type Persisted = Parameters<typeof earlierParts>[0]["persist"]

const OK: WriteStatus = { _tag: "Ok" }

const said = (): ReadonlyArray<Message> => {
  const maker = new Maker()
  return Array.from({ length: TURNS }, (_, turn) => [
    maker.prompt(`prompt ${turn}`),
    maker.says(`m${turn}`, `answer ${turn}`)
  ]).flat()
}

/** The earlier parts of a session that was written since it was opened, when no page was known. */
const partsOf = async (messages: ReadonlyArray<Message>, persist: Persisted = { enabled: true, status: () => OK }) => {
  const file = path.join(makeDirectory(), "session.jsonl")
  const { lines } = recordMessages(emptyChain, messages, { context })
  writeFileSync(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(""))
  const services = await Effect.runPromise(
    Effect.context<Records>().pipe(Effect.provide(layer({ home: path.dirname(file) })))
  )
  return earlierParts({ path: file, pages: [], persist, services })
}

describe("the earlier parts of a session", () => {
  it("are counted when one that was said since has to be read, and then read on by number", async () => {
    const messages = said()
    const parts = await partsOf(messages)
    const at = messages.length - 10
    const last = await Effect.runPromise(parts.readBefore(messages[at]?.uuid ?? ""))
    expect(last.page).toBeGreaterThan(0)
    const rest: Array<ReadonlyArray<Message>> = []
    for (let page = 0; page < last.page; page++) rest.push(await Effect.runPromise(parts.read(page)))
    expect(uuidsOf([...rest.flat(), ...last.messages])).toEqual(uuidsOf(messages.slice(0, at)))
  })

  it("say so when the record is not in the file", async () => {
    const parts = await partsOf(said())
    expect(await Effect.runPromise(Effect.flip(parts.readBefore("nowhere")))).toContain("no message with the id nowhere")
  })

  it("are only on disk where something is written, and all of it", async () => {
    const waiting: WriteStatus = {
      _tag: "Failing",
      code: "ENOSPC",
      message: "full",
      sinceMs: 0,
      waitingBytes: 1,
      lostLines: 0
    }
    expect((await partsOf([])).isStored()).toBe(true)
    expect((await partsOf([], { enabled: false, status: () => OK })).isStored()).toBe(false)
    expect((await partsOf([], { enabled: true, status: () => waiting })).isStored()).toBe(false)
  })
})
