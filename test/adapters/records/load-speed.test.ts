import { readFileSync, writeFileSync } from "node:fs"
import path from "node:path"
import { Effect } from "effect"
import { expect, it } from "vitest"
import { layer } from "../../../src/adapters/records/node.ts"
import { emptyChain, recordMessages } from "../../../src/core/session/transcript/chain.ts"
import type { Message } from "../../../src/core/domain/message.ts"
import { loadSession } from "../../../src/shell/session/load-session.ts"
import { context, Maker } from "../../support/session/build.ts"
import { makeDirectory } from "../../support/session/disk.ts"

/** A session of about 20 MB: calls with results of some size, words between them. */
const longSession = (turns: number): ReadonlyArray<Message> => {
  const maker = new Maker()
  const output = "lorem ipsum dolor sit amet, consectetur\n".repeat(60)
  return Array.from({ length: turns }, (_, turn): ReadonlyArray<Message> => {
    const calls = [0, 1].map((index) => maker.calls(`m${turn}`, `c${turn}-${index}`))
    const results = calls.map((caller, index) => maker.result(caller, `c${turn}-${index}`, output))
    return [maker.prompt(`prompt ${turn}`), ...calls, ...results, maker.says(`e${turn}`, output)]
  }).flat()
}

const timed = async <A>(run: () => Promise<A> | A): Promise<readonly [A, number]> => {
  const from = performance.now()
  const result = await run()
  return [result, performance.now() - from]
}

it("loads a long session in about the time that parsing its lines takes", async () => {
  const place = path.join(makeDirectory(), "long.jsonl")
  const messages = longSession(1_400)
  const { lines } = recordMessages(emptyChain, messages, { context })
  writeFileSync(place, lines.map((line) => `${JSON.stringify(line)}\n`).join(""))
  const plain = () =>
    readFileSync(place, "utf8")
      .split("\n")
      .filter((line) => line !== "")
      .map((line): unknown => JSON.parse(line))
  const records = layer({ home: path.dirname(place) })
  const load = () => Effect.runPromise(loadSession(place, { windowTokens: 10_000_000 }).pipe(Effect.provide(records)))
  plain()
  await load()
  const [, plainMs] = await timed(plain)
  const [loaded, loadMs] = await timed(load)
  expect(loaded.messages.length).toBe(messages.length)
  const megabytes = readFileSync(place).length / 1e6
  const times = `${loadMs.toFixed(0)} ms; plain parse ${plainMs.toFixed(0)} ms`
  console.log(`load: ${megabytes.toFixed(1)} MB, ${lines.length} lines, ${times}`)
})
