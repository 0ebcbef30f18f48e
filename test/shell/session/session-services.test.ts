import { writeFileSync } from "node:fs"
import path from "node:path"
import { Effect } from "effect"
import { expect, it } from "vitest"
import { layer } from "../../../src/adapters/records/node.ts"
import { emptyChain, recordMessages } from "../../../src/core/session/transcript/chain.ts"
import { FileState } from "../../../src/shell/tools/services/file-state.ts"
import { loadSession } from "../../../src/shell/session/load-session.ts"
import { recalledFiles } from "../../../src/shell/session/session-services.ts"
import { collect } from "../../support/live-heap.ts"
import { context, Maker, SESSION } from "../../support/session/build.ts"
import { makeDirectory } from "../../support/session/disk.ts"

const READ = { type: "text", file: { filePath: "/p/a.ts", content: "a", numLines: 1, startLine: 1, totalLines: 1 } }

/** A session in which a file was read: what it knows of files, and what else was loaded. */
const resumed = async () => {
  const maker = new Maker()
  const caller = maker.calls("m1", "c1", "Read")
  const result = { ...maker.result(caller, "c1"), toolUseResult: READ }
  const file = path.join(makeDirectory(), "session.jsonl")
  const { lines } = recordMessages(emptyChain, [maker.prompt("read it"), caller, result, maker.says("m2", "done")], {
    context
  })
  writeFileSync(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(""))
  const loaded = await Effect.runPromise(loadSession(file).pipe(Effect.provide(layer({ home: path.dirname(file) }))))
  const files = await Effect.runPromise(
    FileState.pipe(Effect.provide(recalledFiles({ sessionId: SESSION, path: file, loaded })))
  )
  return { files, rest: [new WeakRef(loaded), new WeakRef(loaded.spending), new WeakRef(loaded.chain)] }
}

it("recalls files from the messages and holds nothing else that was loaded", async () => {
  const { files, rest } = await resumed()
  await new Promise((resolve) => setImmediate(resolve))
  collect()
  expect(rest.map((each) => each.deref())).toEqual([undefined, undefined, undefined])
  expect(await Effect.runPromise(files.get("/p/a.ts"))).toMatchObject({ content: "a" })
})
