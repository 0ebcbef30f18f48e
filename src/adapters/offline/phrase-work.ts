/** Sentences about other work: commands, pages, plans, questions, lists of tasks, agents, skills. */
import type { Turn } from "./conversation.ts"
import type { PlannedCall, Step } from "./entry.ts"
import type { Rule } from "./phrases.ts"
import { LABEL } from "./answer.ts"
import { afterSuccess, calling } from "./steps.ts"
import { clip, firstWords, listItems, sentence, sentenceCase, unquote } from "./words.ts"

const RUN = sentence(
  String.raw`(?:run|execute|exec)\s+(?:(?:the\s+)?(?:following\s+)?(?:shell\s+|bash\s+)?command\s*:?\s+)?`,
  String.raw`([\s\S]+?)(\s+in\s+(?:the\s+)?background)?`
)
const FENCE_OR_TICKS = /^(?:```[\s\S]*```|`[^`]+`)/

/** Words that begin a description, not a command: "run the tests" cannot be taken literally. */
const DESCRIPTION = /^(?:the|all|my|our|your|a|an|this|that|these|it|some)\b/i

/** run `CMD`, run ls -la, run `npm start` in the background */
export const run: Rule = ({ core, turn }) => {
  const match = RUN.exec(core)
  const said = match?.[1]
  if (said === undefined || DESCRIPTION.test(said)) return undefined
  const command = unquote(FENCE_OR_TICKS.exec(said)?.[0] ?? said)
  const background = match?.[2] !== undefined && takes(turn, "Bash", "run_in_background")
  const input = { command, ...(background ? { run_in_background: true } : {}) }
  return [calling(`Running ${clip(command, 80)}`, { name: "Bash", input })]
}

const FETCH = sentence(
  String.raw`(?:fetch|get|download|open|visit|browse)\s+(?:the\s+)?(?:page\s+(?:at\s+)?|url\s+)?`,
  String.raw`[${"`"}"'<]?(https?://[^\s${"`"}"'>]+)[${"`"}"'>]?`,
  String.raw`(?:\s*,?\s*(?:and|to)\s+([\s\S]+))?`
)

/** fetch URL, fetch URL and summarise it */
export const fetchPage: Rule = ({ core }) => {
  const match = FETCH.exec(core)
  if (match?.[1] === undefined) return undefined
  const prompt = match[2]?.trim() ?? "What does this page say?"
  return [calling(`Fetching ${match[1]}.`, { name: "WebFetch", input: { url: match[1], prompt } })]
}

const WEB_SEARCH = /^(?:search|look|find)\s+(?:on\s+|in\s+)?(?:the\s+)?(?:web|internet)\s+for\s+(.{2,})$/i

/** search the web for X */
export const searchWeb: Rule = ({ core }) => {
  const query = WEB_SEARCH.exec(core)?.[1]
  if (query === undefined) return undefined
  return [calling(`Searching the web for ${unquote(query)}.`, { name: "WebSearch", input: { query: unquote(query) } })]
}

/** Whether an offered tool has an input field: fields that came later or are being retired are sent only then. */
const takes = (turn: Turn, tool: string, field: string): boolean => {
  const properties = turn.offered.get(tool)?.input_schema["properties"]
  return typeof properties === "object" && properties !== null && field in properties
}

const PLAN = /^(?:(?:make|draft|write|prepare)\s+a\s+)?plan\b(?:\s*:|\s+(?:for|to|how\s+to))?\s*([\s\S]*)$/i
const PLAN_FILE = /((?:\/|~\/|[A-Za-z]:\\)?[^\s`"'()]*plans[/\\][^\s`"'()]+\.md)/

const planText = (goal: string): string => `# Plan

Goal: ${goal}

1. Look at what is there.
2. Make the change in small steps.
3. Check the result.

Written by the ${LABEL}; it shows the way of working and is not advice.
`

/** plan …: plan mode, the plan into its file, then the question whether to go on */
export const plan: Rule = ({ core }) => {
  const match = PLAN.exec(core)
  if (match === null) return undefined
  const goal = match[1]?.trim() === "" || match[1] === undefined ? "not given" : match[1].trim()
  const write: Step = (turn) => {
    const file = PLAN_FILE.exec(turn.latest.at(-1)?.result ?? "")?.[1]
    if (file === undefined || !turn.offered.has("Write")) return undefined
    const input = { file_path: file, content: planText(goal) }
    return { text: "Writing the plan down.", tools: [{ name: "Write", input }] }
  }
  const leave: Step = (turn) => ({
    text: "Here is my plan.",
    tools: [{ name: "ExitPlanMode", input: takes(turn, "ExitPlanMode", "plan") ? { plan: planText(goal) } : {} }]
  })
  return [calling("Going into plan mode.", { name: "EnterPlanMode", input: {} }), afterSuccess(write), afterSuccess(leave)]
}

const ASK = /^ask\s+me\b(?:\s+(?:a\s+question\s+)?(?:about\s+)?|:\s*)?([\s\S]*)$/i
const YES_NO = ["Yes", "No"]
const HEADER_CHARS = 12
const MAX_OPTIONS = 4

const choices = (said: string): { readonly question: string; readonly options: ReadonlyArray<string> } => {
  const [question = "", list] = said.split(/:\s*/, 2)
  const named = list ?? (/,|\bor\b/i.test(said) && !/^(?:whether|if)\b/i.test(said) ? said : "")
  const options = [...new Set(listItems(named.replace(/\?$/, "")))].slice(0, MAX_OPTIONS)
  const text = list === undefined && options.length > 1 ? `Which one: ${said}` : question
  return { question: text.trim(), options: options.length > 1 ? options : YES_NO }
}

/** ask me whether …, ask me which colour: red, green or blue */
export const ask: Rule = ({ core }) => {
  const match = ASK.exec(core)
  if (match === null) return undefined
  const { question, options } = choices(match[1]?.trim() ?? "")
  const asked = `${sentenceCase(question === "" ? "shall I go on" : question).replace(/[?.]$/, "")}?`
  const input = {
    questions: [
      {
        question: asked,
        header: clip(firstWords(question === "" ? "Question" : sentenceCase(question), 2), HEADER_CHARS),
        options: options.map((label) => ({ label, description: `Answer "${label}"` })),
        multiSelect: false
      }
    ]
  }
  return [calling("I have a question.", { name: "AskUserQuestion", input })]
}

const TRACK = sentence(
  String.raw`(?:todos?|track|add\s+(?:the\s+)?(?:todos?|tasks?)|make\s+a\s+(?:todo|task)\s+list)\b`,
  String.raw`(?:\s*:|\s+(?:of|for|these|the\s+(?:tasks?|steps?)))?:?\s*([\s\S]+)`
)

const activeForm = (item: string): string => `Working on ${item}`

const pending = (item: string) => ({ content: item, status: "pending", activeForm: activeForm(item) })

/** track A, B, C: one task each, or the whole list where tasks are not offered */
export const track: Rule = ({ core, turn }) => {
  const items = listItems(TRACK.exec(core)?.[1] ?? "")
  if (items.length === 0) return undefined
  const wholeList = !turn.offered.has("TaskCreate") && turn.offered.has("TodoWrite")
  const calls: ReadonlyArray<PlannedCall> = wholeList
    ? [{ name: "TodoWrite", input: { todos: items.map(pending) } }]
    : items.map((item) => ({
        name: "TaskCreate",
        input: { subject: item, description: item, activeForm: activeForm(item) }
      }))
  return [calling(`Tracking ${items.length === 1 ? "one item" : `${items.length} items`}.`, ...calls)]
}

const DELEGATE = sentence(
  String.raw`(?:delegate|agent|(?:use|start|ask|have|let)\s+an?\s+(?:sub-?)?agent)\b(?:\s*:|\s+to\b)?\s*([\s\S]+)`
)

/** delegate …: an agent in the foreground, so that its result is part of this turn */
export const delegate: Rule = ({ text, turn }) => {
  const prompt = DELEGATE.exec(text)?.[1]?.trim()
  if (prompt === undefined) return undefined
  const name = !turn.offered.has("Agent") && turn.offered.has("Task") ? "Task" : "Agent"
  const foreground = takes(turn, name, "run_in_background") ? { run_in_background: false } : {}
  const input = { description: firstWords(prompt, 5), prompt, ...foreground }
  return [calling("Handing this to an agent.", { name, input })]
}

const SKILL = sentence(
  String.raw`(?:use|run|invoke)\s+(?:the\s+)?skill\s+[${"`"}"']?/?([\w:.-]+)[${"`"}"']?`,
  String.raw`(?:\s+(?:with|on|for)\s+([\s\S]+))?`
)

/** use skill NAME [with ARGS] */
export const skill: Rule = ({ core }) => {
  const match = SKILL.exec(core)
  if (match?.[1] === undefined) return undefined
  const args = match[2] === undefined ? {} : { args: match[2].trim() }
  return [calling(`Using the skill ${match[1]}.`, { name: "Skill", input: { skill: match[1], ...args } })]
}
