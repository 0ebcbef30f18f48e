import type { PermissionQuestion } from "../../../src/core/loop/machine/command.ts"
import type { Call, CallStage, PreparedCall, ReadCall } from "../../../src/core/loop/machine/state.ts"
import { NO_FACTS } from "../../../src/core/permission/facts.ts"
import { READ_ONLY } from "../../../src/core/tools/contract/tool.ts"
import { Decoded } from "../../../src/core/tools/contract/decoded.ts"
import { readTool } from "../../../src/core/tools/files/read.ts"

/** Calls put where a test wants them. */
const DONE = { content: "", isError: false, data: {} }

const prepared = ({ id, name, assistantUuid, tool, reading }: ReadCall): PreparedCall => ({
  id,
  name,
  assistantUuid,
  tool,
  reading,
  facts: NO_FACTS,
  hook: undefined,
  hookContext: undefined,
  isRewritten: false,
  grant: undefined,
  redecided: 0,
  check: undefined,
  onlyReads: false
})

const questionAbout = ({ id, tool, reading: { input, summary } }: ReadCall): PermissionQuestion => ({
  callId: id,
  tool,
  input,
  summary,
  decision: { verdict: "ask", reason: { type: "other", sentence: "" } },
  suggestions: []
})

/** The call at a stage, with nothing known that the stage does not need. */
export const at = (call: ReadCall, stage: CallStage): Call => {
  switch (stage) {
    case "queued": {
      const { id, name, assistantUuid, tool, reading } = call
      return { id, name, assistantUuid, tool, reading, stage }
    }
    case "hooks":
      return { ...prepared(call), stage, hookId: `pre:${call.id}` }
    case "reviewing":
      return { ...prepared(call), stage, hookId: `post:${call.id}`, result: DONE }
    case "completed": {
      const { id, name, assistantUuid, tool, reading } = call
      return { id, name, assistantUuid, tool, reading, stage, isMalformed: false, result: DONE, isYielded: false }
    }
    case "asking":
      return { ...prepared(call), stage, question: questionAbout(call) }
    default:
      return { ...prepared(call), stage }
  }
}

/** A call of Read with an input that may, or may not, run beside others. */
export const callOf = (id: string, concurrencySafe: boolean): ReadCall => ({
  id,
  name: "Read",
  assistantUuid: "a",
  tool: "Read",
  reading: {
    input: Decoded.by(readTool, { file_path: "/project/a.txt" }),
    traits: { ...READ_ONLY, concurrencySafe },
    summary: ""
  }
})

export const isSafe = (call: Call): boolean =>
  call.reading?.traits.concurrencySafe === true || ("onlyReads" in call && call.onlyReads)
