import { Effect, Result } from "effect"
import { describe, expect, it } from "vitest"
import { withAnswers } from "../../../src/core/tools/conversation/ask-user-question.ts"
import { compileJsonSchema } from "../../../src/shell/tools/contract/json-schema.ts"
import { layer as todosLayer, Todos } from "../../../src/shell/tools/services/todos.ts"
import { askUserQuestionExecutor } from "../../../src/shell/tools/ask-user-question.ts"
import { toolOf } from "../../../src/core/tools/tool-entry.ts"
import { structuredOutput } from "../../../src/shell/tools/structured-output.ts"
import { todoWriteExecutor } from "../../../src/shell/tools/todo-write.ts"
import { callContext } from "./call-context.ts"

const todo = (content: string, status: "pending" | "completed" = "pending") => ({
  content,
  status,
  activeForm: content
})

describe("TodoWrite", () => {
  it("replaces the list of its own session and closes it when all is done", async () => {
    const program = Effect.gen(function* () {
      const write = (sessionId: string, todos: ReadonlyArray<ReturnType<typeof todo>>) =>
        todoWriteExecutor.run({ todos }, callContext({ sessionId }))
      const kept = yield* Todos
      const first = yield* write("one", [todo("a")])
      yield* write("two", [todo("z")])
      const second = yield* write("one", [todo("a", "completed"), todo("b")])
      const between = yield* kept.get("one")
      const last = yield* write("one", [todo("a", "completed"), todo("b", "completed")])
      const data = [first.data, second.data, last.data]
      return { data, between, one: yield* kept.get("one"), two: yield* kept.get("two") }
    })
    const { data, between, one, two } = await Effect.runPromise(program.pipe(Effect.provide(todosLayer)))
    expect(data).toEqual([
      { oldTodos: [], newTodos: [todo("a")] },
      { oldTodos: [todo("a")], newTodos: [todo("a", "completed"), todo("b")] },
      { oldTodos: [todo("a", "completed"), todo("b")], newTodos: [todo("a", "completed"), todo("b", "completed")] }
    ])
    expect(between).toEqual([todo("a", "completed"), todo("b")])
    expect(one).toEqual([])
    expect(two).toEqual([todo("z")])
  })
})

describe("AskUserQuestion", () => {
  const asking = {
    questions: [{ question: "Which?", header: "Choice", options: ["A", "B"].map((label) => ({ label, description: "" })) }]
  }

  it("returns the answers that came with the decision", async () => {
    const output = await Effect.runPromise(
      askUserQuestionExecutor.run(withAnswers(asking, { answers: { "Which?": "B" } }), callContext())
    )
    expect(output.data).toEqual({ ...asking, answers: { "Which?": "B" } })
    expect(output.content).toContain("Which?\n  B")
  })

  it("is refused when nobody was asked", async () => {
    const result = await Effect.runPromise(Effect.result(askUserQuestionExecutor.run(asking, callContext())))
    expect(Result.isFailure(result) && result.failure.message).toMatch(/^NotAnswered: /)
  })
})

describe("JSON Schemas of callers", () => {
  const compiled = (schema: unknown) => Effect.runPromise(compileJsonSchema(schema))
  const refused = async (schema: unknown) => {
    const result = await Effect.runPromise(Effect.result(compileJsonSchema(schema)))
    if (Result.isSuccess(result)) throw new Error("expected a refusal")
    return result.failure.message
  }

  it("name every problem of a value and where it is", async () => {
    const validate = await compiled({
      type: "object",
      properties: { n: { type: "number" }, list: { type: "array", items: { enum: ["a", "b"] } } },
      required: ["n", "list"],
      additionalProperties: false
    })
    expect(validate({ n: 1, list: ["a"] })).toEqual([])
    expect(validate({ n: "1", list: ["c"], extra: true }).toSorted()).toEqual([
      '/list/0 must be equal to one of the allowed values: ["a","b"]',
      "/n must be number",
      'the result must NOT have additional properties ("extra")'
    ])
    expect(validate({})).toContain("the result must have required property 'n'")
  })

  it("treat format as a remark, unknown keywords as none, and newer drafts as draft-07", async () => {
    const validate = await compiled({
      $schema: "https://json-schema.org/draft/2020-12/schema",
      properties: { mail: { type: "string", format: "email" }, date: { type: "string", format: "no-such-format" } },
      "x-note": 1
    })
    expect(validate({ mail: "not a mail", date: "x" })).toEqual([])
  })

  it("are refused with a diagnostic when they are none", async () => {
    expect(await refused({ type: "objekt" })).toContain("objekt")
    expect(await refused({ properties: { a: { type: "objekt" } } })).toContain("must be equal to one of the allowed values")
    expect(await refused({ type: "array" })).toContain("object at the top")
    expect(await refused("text")).toContain("must be an object")
    expect(await refused({ $ref: "#/definitions/none" })).toContain("none")
  })

  it("decide about StructuredOutput", async () => {
    const { entry, executor } = structuredOutput({ properties: { n: { type: "number" } }, required: ["n"] })
    const run = (input: unknown) => {
      const { input: decoded } = Result.getOrThrow(toolOf(entry).read(input))
      return Effect.runPromise(Effect.result(executor.run(decoded, callContext())))
    }
    expect(await run({ n: 1 })).toMatchObject({ success: { data: { n: 1 } } })
    const result = await run({ n: "1" })
    expect(Result.isFailure(result) && result.failure.message).toMatch(/^SchemaMismatch: [\s\S]*\n- \/n must be number$/)
  })

  it("do not drown the model in problems", async () => {
    const validate = await compiled({ additionalProperties: { type: "number" } })
    const problems = validate(Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`k${index}`, "x"])))
    expect(problems).toHaveLength(21)
    expect(problems.at(-1)).toBe("and 30 more")
  })
})
