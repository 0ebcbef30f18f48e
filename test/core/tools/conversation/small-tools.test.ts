import { Result } from "effect"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import {
  answeredData,
  answersText,
  type AskUserQuestionInput,
  askUserQuestionTool,
  withAnswers
} from "../../../../src/core/tools/conversation/ask-user-question.ts"
import { decodeHostInput, decodeInput } from "../../../../src/core/tools/contract/decode.ts"
import { jsonSchemaOf } from "../../../../src/core/tools/contract/json-schema.ts"
import { structuredOutputTool } from "../../../../src/core/tools/conversation/structured-output.ts"
import { openTodos, todoWriteText, todoWriteTool } from "../../../../src/core/tools/conversation/todo-write.ts"

const option = (label: string) => ({ label, description: `about ${label}` })
const asking: AskUserQuestionInput = {
  questions: [{ question: "Which?", header: "Choice", options: [option("A"), option("B")], multiSelect: true }]
}

describe("TodoWrite", () => {
  const todo = (status: "pending" | "in_progress" | "completed") => ({ content: "c", activeForm: "a", status })

  it("refuses an item without content", () => {
    expect(Result.isFailure(decodeInput(todoWriteTool, { todos: [{ ...todo("pending"), content: "" }] }))).toBe(true)
    expect(todoWriteTool.validate?.({ todos: [todo("pending"), { ...todo("pending"), content: " " }] })).toContain(
      "todos[1]"
    )
  })

  it("closes a list that is done and keeps any other", () => {
    expect(openTodos([todo("completed"), todo("completed")])).toEqual([])
    const open = [todo("completed"), todo("pending")]
    expect(openTodos(open)).toEqual(open)
    expect(todoWriteText({ oldTodos: [], newTodos: [todo("completed")] })).toContain("the list is closed")
    expect(todoWriteText({ oldTodos: [], newTodos: [...open, todo("in_progress")] })).toContain(
      "1 completed, 1 in progress, 1 pending"
    )
    expect(todoWriteText({ oldTodos: [], newTodos: [] })).toContain("empty")
  })

  it("touches nothing outside the conversation", () => {
    expect(todoWriteTool.needs({ todos: [] }, "/")).toEqual([{ kind: "nothing" }])
  })
})

describe("AskUserQuestion", () => {
  it("is offered only where somebody can answer, and needs that somebody", () => {
    expect(askUserQuestionTool.offered).toBe("interactive")
    expect(askUserQuestionTool.needs(asking, "/")).toEqual([{ kind: "interaction" }])
  })

  it("publishes no key for answers and drops those the model makes up", () => {
    const schema = jsonSchemaOf(askUserQuestionTool.input)
    expect(Object.keys(schema["properties"] as object)).toEqual(["questions"])
    const keys = fc.constantFrom("answers", "response", "annotations", "afkTimeoutMs")
    fc.assert(
      fc.property(keys, fc.jsonValue(), (key, value) => {
        const input = Result.getOrThrow(decodeInput(askUserQuestionTool, { ...asking, [key]: value }))
        expect(input).toEqual(asking)
        expect(answeredData(input)).toBeUndefined()
      })
    )
  })

  it("takes answers from the host", () => {
    const answered = withAnswers(asking, { answers: { "Which?": "A, B" } })
    expect(Result.getOrThrow(decodeHostInput(askUserQuestionTool, answered))).toEqual(answered)
    expect(answeredData(answered)).toEqual({ ...asking, answers: { "Which?": "A, B" } })
  })

  it("keeps to one to four questions, two to four choices, short headers and distinct names", () => {
    const decodes = (input: unknown) => Result.isSuccess(decodeInput(askUserQuestionTool, input))
    const [question] = asking.questions
    expect(decodes({ questions: [] })).toBe(false)
    expect(decodes({ questions: Array.from({ length: 5 }, () => question) })).toBe(false)
    expect(decodes({ questions: [{ ...question, options: [option("A")] }] })).toBe(false)
    expect(decodes({ questions: [{ ...question, header: "x".repeat(13) }] })).toBe(false)
    expect(decodes({ questions: [{ ...question, header: "x".repeat(12) }] })).toBe(true)
    if (question === undefined) throw new Error("there is one")
    expect(askUserQuestionTool.validate?.({ questions: [question, question] })).toContain("twice")
    const doubled = { ...question, options: [option("A"), option("A")] }
    expect(askUserQuestionTool.validate?.({ questions: [doubled] })).toContain('label "A" twice')
    expect(askUserQuestionTool.validate?.(asking)).toBeUndefined()
  })

  it("tells the model what was answered, what was not, and whether anybody was there", () => {
    const annotations = { "Which?": { notes: "but soon" } }
    const data = { ...asking, answers: { "Which?": "A" }, annotations, response: "thanks" }
    expect(answersText(data)).toBe("The user answered:\n- Which?\n  A\n  Note: but soon\nThe user also wrote: thanks")
    expect(answersText({ ...asking, answers: {} })).toContain("(not answered)")
    const away = answersText({ ...asking, answers: { "Which?": "A" }, afkTimeoutMs: 60_000 })
    expect(away).toContain("within 60 s and may be away")
    expect(away).toContain("best judgement")
  })
})

describe("StructuredOutput", () => {
  it("publishes the caller's schema and takes any object", () => {
    const properties = { n: { type: "number" } }
    const tool = structuredOutputTool({ $schema: "http://json-schema.org/draft-07/schema#", properties })
    expect(jsonSchemaOf(tool.input)).toEqual({ type: "object", properties: { n: { type: "number" } } })
    expect(Result.getOrThrow(decodeInput(tool, { n: "1", extra: [1] }))).toEqual({ n: "1", extra: [1] })
    expect(Result.isFailure(decodeInput(tool, [1]))).toBe(true)
    expect(tool.offered).toBe("withSchema")
  })
})
