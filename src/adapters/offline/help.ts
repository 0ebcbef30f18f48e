/** What the offline model says when it has nothing to do: what it can do, what it lacks, what it could not read. */
import { LABEL } from "./answer.ts"
import type { Turn } from "./conversation.ts"
import { clip, firstLine } from "./words.ts"

const REAL_MODEL = "For a real model, run `nacre login` or set ANTHROPIC_API_KEY, and start again."

interface Example {
  /** How a sentence begins that was probably meant like this one. */
  readonly verbs: RegExp
  readonly sentence: string
  /** Any of these tools serves. */
  readonly tools: ReadonlyArray<string>
}

const EXAMPLES: ReadonlyArray<Example> = [
  { verbs: /^(?:read|show|open|cat|view)\b/i, sentence: "read README.md", tools: ["Read"] },
  { verbs: /^(?:list|find|glob)\b/i, sentence: "list files **/*.ts", tools: ["Glob"] },
  { verbs: /^(?:search|grep|look)\b/i, sentence: "search for import in src", tools: ["Grep"] },
  { verbs: /^(?:run|execute|exec)\b/i, sentence: "run `ls -la`", tools: ["Bash"] },
  { verbs: /^(?:write|create|save|make)\b/i, sentence: "write hello.txt with Hello!", tools: ["Write"] },
  { verbs: /^(?:replace|change)\b/i, sentence: "replace `a` with `b` in hello.txt", tools: ["Edit"] },
  { verbs: /^(?:fetch|get|download|visit)\b/i, sentence: "fetch https://example.com", tools: ["WebFetch"] },
  { verbs: /^(?:track|todos?)\b/i, sentence: "track design, build, test", tools: ["TodoWrite", "TaskCreate"] },
  { verbs: /^plan\b/i, sentence: "plan the next release", tools: ["EnterPlanMode"] },
  { verbs: /^ask\b/i, sentence: "ask me which colour: red, green or blue", tools: ["AskUserQuestion"] },
  { verbs: /^(?:delegate|agent)\b/i, sentence: "delegate: count the files in src", tools: ["Agent", "Task"] },
  { verbs: /^use\b/i, sentence: "use skill NAME", tools: ["Skill"] },
  { verbs: /^remember\b/i, sentence: "remember that tests run with npm test", tools: ["Edit"] }
]

/** Sentences whose tools this session has. */
const possible = ({ offered }: Turn): ReadonlyArray<string> =>
  EXAMPLES.flatMap(({ sentence, tools }) => {
    const name = tools.find((tool) => offered.has(tool))
    return name === undefined ? [] : [`- ${sentence} (${name})`]
  })

const nearMiss = (prompt: string): string => {
  const meant = EXAMPLES.find(({ verbs }) => verbs.test(prompt))?.sentence
  return meant === undefined ? "" : `I did not quite understand that. It would have worked as: ${meant}\n\n`
}

const abilities = (turn: Turn): string => {
  const list = possible(turn)
  if (list.length === 0) return "No tools are offered in this session, so there is little that I can show."
  return `My tool calls are real, and they need permission like any other. Sentences that I understand:

${list.join("\n")}
- tour (shows what this program can do, in a scratch folder)

Two steps can be joined: read a.txt then run \`ls\`.`
}

/** The answer to everything that no rule understands. */
export const help = (turn: Turn): string => {
  const said = clip(firstLine(turn.prompt), 200)
  return `${LABEL}

You said: ${said === "" ? "(nothing)" : said}

${nearMiss(turn.prompt)}I follow fixed rules: I do not think and I cannot write programs.
${abilities(turn)}
For tests there are directive lines (@say, @think, @tool, @fault …) and fenced \`offline\` scripts.

${REAL_MODEL}`
}

/** The end of an answer that is followed by another request, for example after a Stop hook. */
export const nothingMore = (turn: Turn): string => {
  const form = turn.offered.has("StructuredOutput")
    ? " I cannot fill in StructuredOutput by myself; a directive line @tool StructuredOutput {…} can."
    : ""
  return `${LABEL}: I have nothing to add.${form}`
}

export const notOffered = (names: ReadonlyArray<string>, turn: Turn): string => {
  const missing = names.join(", ")
  const there = [...turn.offered.keys()].join(", ")
  const what = names.length === 1 ? `the tool ${missing}, which is` : `the tools ${missing}, which are`
  return `${LABEL}\n\nThis would need ${what} not offered in this session. ${
    there === "" ? "No tools are offered." : `Offered are: ${there}.`
  }`
}

export const unreadableScript = (reason: string): string =>
  `${LABEL}

The offline script could not be read: ${reason}

An entry looks like {"text": "Hello", "tools": [{"name": "Read", "input": {"file_path": "README.md"}}]}.
Directives look like @say Hello or @tool Read {"file_path": "README.md"}.`
