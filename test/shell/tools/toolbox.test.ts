import { Effect, Exit, Scope, Stream, SubscriptionRef } from "effect"
import { describe, expect, it } from "vitest"
import { remoteTool } from "../../../src/core/tools/remote-tool.ts"
import { Decoded } from "../../../src/core/tools/contract/decoded.ts"
import type { ToolEntry } from "../../../src/core/tools/tool-entry.ts"
import { remoteExecutor } from "../../../src/shell/tools/remote-executor.ts"
import { layer, type ProvidedTool, Toolbox } from "../../../src/shell/tools/toolbox.ts"
import { callContext } from "./call-context.ts"

const entryOf = (name: string, input_schema = {}): ToolEntry => ({
  definition: { name, description: "", input_schema },
  source: { _tag: "Server", server: "s", hints: {} }
})

const provided = (name: string, says = name): ProvidedTool => {
  const entry = entryOf(name)
  return { entry, executor: remoteExecutor(entry, () => Effect.succeed({ data: says, content: says })) }
}

const inToolbox = <A>(work: Effect.Effect<A, never, Toolbox | Scope.Scope>): Promise<A> =>
  Effect.runPromise(work.pipe(Effect.scoped, Effect.provide(layer)))

const provider = (tools: ReadonlyArray<ProvidedTool>) => SubscriptionRef.make(tools)

const namesOf = (toolbox: Toolbox["Service"]): ReadonlyArray<string> => [...toolbox.current().keys()].toSorted()

describe("the toolbox of a session", () => {
  it("holds what providers have at the moment, until their scope closes", () =>
    inToolbox(
      Effect.gen(function* () {
        const toolbox = yield* Toolbox
        const own = yield* provider([provided("a")])
        const theirs = yield* provider([])
        yield* toolbox.add(own)
        const scope = yield* Scope.make()
        yield* Scope.provide(toolbox.add(theirs), scope)
        expect(namesOf(toolbox)).toEqual(["a"])
        yield* SubscriptionRef.set(theirs, [provided("b"), provided("c")])
        expect(namesOf(toolbox)).toEqual(["a", "b", "c"])
        yield* Scope.close(scope, Exit.void)
        expect(namesOf(toolbox)).toEqual(["a"])
      })
    ))

  it("leaves a name to whoever had it first", () =>
    inToolbox(
      Effect.gen(function* () {
        const toolbox = yield* Toolbox
        const first = provided("a", "first")
        yield* toolbox.add(yield* provider([first]))
        yield* toolbox.add(yield* provider([provided("a", "second"), provided("b")]))
        expect(toolbox.current().get("a")).toBe(first)
        expect(namesOf(toolbox)).toEqual(["a", "b"])
      })
    ))

  it("says so whenever a provider comes or changes", () =>
    inToolbox(
      Effect.gen(function* () {
        const toolbox = yield* Toolbox
        const own = yield* provider([provided("a")])
        const seen = yield* SubscriptionRef.make<ReadonlyArray<string>>([])
        const heard = (count: number) =>
          SubscriptionRef.changes(seen).pipe(
            Stream.filter((names) => names.length === count),
            Stream.runHead
          )
        yield* Effect.forkScoped(Stream.runForEach(toolbox.changes, () => SubscriptionRef.set(seen, namesOf(toolbox))))
        yield* toolbox.add(own)
        yield* heard(1)
        yield* SubscriptionRef.set(own, [provided("a"), provided("b")])
        yield* heard(2)
      })
    ))
})

describe("a tool of a server", () => {
  const decoded = (entry: ToolEntry, value: Readonly<Record<string, unknown>>) =>
    Decoded.by(remoteTool(entry.definition, {}), value)
  const prepared = (entry: ToolEntry, value: Readonly<Record<string, unknown>>) => {
    const executor = remoteExecutor(entry, () => Effect.die("it was only prepared"))
    return Effect.runPromise(Effect.result(executor.prepare(decoded(entry, value), callContext())))
  }

  it("takes what fits its schema and says what does not", async () => {
    const entry = entryOf("t", { type: "object", properties: { n: { type: "number" } }, required: ["n"] })
    expect(await prepared(entry, { n: 1 })).toMatchObject({ _tag: "Success" })
    expect(await prepared(entry, {})).toMatchObject({
      failure: {
        message: "InputValidationError: t was not run, its input does not fit:\n- the input must have required property 'n'"
      }
    })
  })

  it("leaves a schema to the server that our validator does not take", async () => {
    expect(await prepared(entryOf("t", { type: "object", $ref: "#/none" }), { n: 1 })).toMatchObject({ _tag: "Success" })
  })

  it("runs for an input that another entry of the same tool has decoded: a list that is read again breaks no call", async () => {
    const executor = remoteExecutor(entryOf("t"), (input) => Effect.succeed({ data: input, content: "done" }))
    const ran = Effect.runPromise(executor.run(decoded(entryOf("t"), { n: 1 }), callContext()))
    expect(await ran).toEqual({ data: { n: 1 }, content: "done" })
  })
})
