/** What the offline model says about its calls: reports at the end of scripts, stories at the end of sentences. */
import type { CallOutcome, SettledCall, Turn } from "./conversation.ts"
import { clip, firstLine, shownPath } from "./words.ts"

export const LABEL = "offline model (scripted, not an LLM)"

/** Input fields that say what a call is about, the most telling first. */
const KEY_FIELDS = ["file_path", "notebook_path", "command", "pattern", "url", "query", "subject", "skill", "description"]

const keyField = (call: SettledCall): string | undefined =>
  KEY_FIELDS.map((field) => call.input[field]).find((value): value is string => typeof value === "string")

/** A call in a few words: its name and what it was about. */
export const callName = (turn: Turn, call: SettledCall): string => {
  const about = keyField(call)
  if (about === undefined) return call.name
  const shown = clip(shownPath(turn, firstLine(about)), 80)
  return call.name === "Bash" ? `${call.name} \`${shown}\`` : `${call.name} ${shown}`
}

/** Refusals end with advice for a model; a user needs only what comes before it. */
const ADVICE = /\s*Go on with work that does not depend on it\.[\s\S]*$/

/** Why a call did not do what was asked, as the result says it. */
export const reasonOf = (call: SettledCall): string => call.result.replace(ADVICE, "").trim()

const oneLine = (text: string): string => text.replaceAll(/\s+/g, " ").trim()

const ENDING: Record<CallOutcome, string> = {
  succeeded: "succeeded",
  denied: "was denied",
  failed: "failed",
  unanswered: "has no result"
}

const ending = (call: SettledCall): string =>
  call.outcome === "denied" || call.outcome === "failed"
    ? `${ENDING[call.outcome]}: ${clip(oneLine(reasonOf(call)), 600)}`
    : ENDING[call.outcome]

/** One paragraph for the end of a script: every call and how it went. */
export const report = (turn: Turn): string => {
  if (turn.calls.length === 0) return `${LABEL}: the script has ended. It made no tool calls.`
  const calls = turn.calls.map((call) => `${callName(turn, call)} ${ending(call)}`)
  const count = calls.length === 1 ? "1 tool call" : `${calls.length} tool calls`
  return `${LABEL}: the script has ended after ${count}. ${calls.join("; ")}.`
}

const EXCERPT_LINES = 20
const EXCERPT_CHARS = 1_500

/** A fence longer than any run of backticks inside, so that the excerpt cannot end it. */
const fenceFor = (text: string): string =>
  "`".repeat(Math.max(2, ...Array.from(text.matchAll(/`+/g), (run) => run[0].length)) + 1)

const excerpt = (text: string): string => {
  const lines = text.split("\n")
  const shown = clip(lines.slice(0, EXCERPT_LINES).join("\n"), EXCERPT_CHARS)
  const left = lines.length > EXCERPT_LINES ? `\n(${lines.length - EXCERPT_LINES} more lines)` : ""
  const fence = fenceFor(shown)
  return `${fence}\n${shown}\n${fence}${left}`
}

const DID: Readonly<Record<string, string>> = {
  Read: "I read",
  Write: "I wrote",
  Edit: "I edited",
  Bash: "I ran",
  Glob: "I looked for files matching",
  Grep: "I searched for",
  WebFetch: "I fetched",
  WebSearch: "I searched the web for",
  TaskCreate: "I added the task",
  Skill: "I used the skill",
  Agent: "I delegated",
  Task: "I delegated"
}

const reportOf = (turn: Turn, call: SettledCall): string => {
  const about = keyField(call)
  const verb = DID[call.name]
  const subject = about === undefined ? undefined : clip(shownPath(turn, firstLine(about)), 120)
  const did =
    verb === undefined || subject === undefined
      ? `I called ${call.name}.`
      : `${verb} ${call.name === "Bash" ? `\`${subject}\`` : subject}.`
  return call.result.trim() === "" ? did : `${did} The result:\n\n${excerpt(call.result)}`
}

const problem = (turn: Turn, call: SettledCall): string =>
  call.outcome === "denied"
    ? `${callName(turn, call)} was not allowed to run. The reason given: ${clip(reasonOf(call), EXCERPT_CHARS)}`
    : call.outcome === "failed"
      ? `${callName(turn, call)} did not work:\n\n${excerpt(call.result)}`
      : `${callName(turn, call)} has no result.`

/** A failure that the same call made good later is not news. */
const madeGood = (call: SettledCall, later: ReadonlyArray<SettledCall>): boolean =>
  call.outcome !== "succeeded" &&
  later.some(
    (other) =>
      other.outcome === "succeeded" && other.name === call.name && JSON.stringify(other.input) === JSON.stringify(call.input)
  )

/** What the calls of a sentence did, in plain words, with denials named as such. */
export const describeCalls = (turn: Turn): string => {
  if (turn.calls.length === 0) return `${LABEL}\n\nNothing was done: the call was cut before it was complete.`
  const news = turn.calls.filter((call, index) => !madeGood(call, turn.calls.slice(index + 1)))
  const parts = news.map((call) => (call.outcome === "succeeded" ? reportOf(turn, call) : problem(turn, call)))
  return [LABEL, ...parts].join("\n\n")
}
