/**
 * The guided tour: a walk through the tools in a scratch folder. It changes nothing but that folder, and only through
 * tool calls, so every step is subject to permission; a step that is denied is reported and the walk goes on.
 */
import { callName, LABEL, reasonOf } from "./answer.ts"
import type { SettledCall, Turn } from "./conversation.ts"
import type { Entry, PlannedCall, Plan, Step } from "./entry.ts"
import { successfulCalls, writing } from "./steps.ts"
import { clip, pathFrom } from "./words.ts"

export const TOUR_FOLDER = "nacre-tour"
const TOUR = /^(?:(?:please|take|start|give\s+me|show\s+me|the|a|an?)\s+)*tour[.!]?$/i

export const isTour = (prompt: string): boolean => TOUR.test(prompt.trim())

const HELLO = "Hello from the Nacre tour.\nThis line will be edited.\n"
const COLOURS = "pearl white\nshell grey\nsea blue\n"

/** Only calls of tools that this session offers; a response without any is left out. */
const offering = (turn: Turn, entry: Entry): Entry | undefined => {
  const tools = (entry.tools ?? []).filter((call) => turn.offered.has(call.name))
  return tools.length === 0 ? undefined : { ...entry, tools }
}

const did = (turn: Turn, name: string): boolean =>
  turn.calls.some((call) => call.name === name && call.outcome === "succeeded")

const ITEMS: ReadonlyArray<readonly [content: string, isDone: (turn: Turn) => boolean]> = [
  ["write two files", (turn) => did(turn, "Write")],
  ["read and edit them", (turn) => did(turn, "Edit")],
  ["look for files", (turn) => did(turn, "Glob") || did(turn, "Grep")],
  ["run a command", (turn) => did(turn, "Bash")]
]

const PROGRAMME = ITEMS.map(([content]) => content).join(", ")

const todos = (turn: Turn) => ({
  todos: ITEMS.map(([content, isDone]) => ({
    content,
    status: isDone(turn) ? "completed" : "pending",
    activeForm: `Touring: ${content}`
  }))
})

const begin: Step = (turn) =>
  offering(turn, {
    text: `${LABEL}\n\nWelcome. I walk through the tools in the folder ${TOUR_FOLDER}. First a list of what is to come.`,
    tools: [
      turn.offered.has("TodoWrite")
        ? { name: "TodoWrite", input: todos(turn) }
        : { name: "TaskCreate", input: { subject: "Take the tour", description: PROGRAMME } }
    ]
  })

const isWritten = (turn: Turn, path: string): boolean =>
  turn.calls.some((call) => call.name === "Write" && call.outcome === "succeeded" && call.input["file_path"] === path)

const wrote = (turn: Turn): boolean =>
  ["hello.txt", "colours.txt"].every((name) => isWritten(turn, pathFrom(turn, `${TOUR_FOLDER}/${name}`)))

const write = (turn: Turn): ReadonlyArray<Step> =>
  writing("Write makes files. Outside a trusted mode this needs your permission.", [
    { path: pathFrom(turn, `${TOUR_FOLDER}/hello.txt`), content: HELLO },
    { path: pathFrom(turn, `${TOUR_FOLDER}/colours.txt`), content: COLOURS }
  ]).map((step) => (now) => {
    const entry = step(now)
    return entry === undefined ? undefined : offering(now, entry)
  })

const readBoth: Step = (turn) =>
  wrote(turn)
    ? offering(turn, {
        text: "Two reads in one response: calls that only look run side by side.",
        tools: ["hello.txt", "colours.txt"].map((name) => ({
          name: "Read",
          input: { file_path: pathFrom(turn, `${TOUR_FOLDER}/${name}`) }
        }))
      })
    : undefined

const edit: Step = (turn) =>
  wrote(turn) && successfulCalls(turn.latest)
    ? offering(turn, {
        text: "Edit changes an exact piece of a file that was read before.",
        tools: [
          {
            name: "Edit",
            input: {
              file_path: pathFrom(turn, `${TOUR_FOLDER}/hello.txt`),
              old_string: "This line will be edited.",
              new_string: "This line was edited."
            }
          }
        ]
      })
    : undefined

const look: Step = (turn) => {
  const place = wrote(turn) ? { path: pathFrom(turn, TOUR_FOLDER) } : {}
  const calls: ReadonlyArray<PlannedCall> = [
    { name: "Glob", input: { pattern: "*", ...place } },
    { name: "Grep", input: { pattern: "pearl|nacre", "-i": true, head_limit: 5, ...place } }
  ]
  return offering(turn, { text: "Glob finds files by name and Grep by content.", tools: calls })
}

const command: Step = (turn) =>
  offering(turn, {
    text: "Bash runs commands. Every command needs permission in this version, even one that only looks.",
    tools: [{ name: "Bash", input: { command: wrote(turn) ? `ls ${TOUR_FOLDER}` : "ls" } }]
  })

const ASKING_COMMAND = `mkdir -p ${TOUR_FOLDER}/made-by-bash`

const askingCommand: Step = (turn) =>
  offering(turn, {
    text: "This command changes something, so it needs permission. Say no if you like: I go on without it.",
    tools: [{ name: "Bash", input: { command: ASKING_COMMAND } }]
  })

const TASK_ID = /(?:#|"id":\s*"?)(\d+)/

const finish: Step = (turn) => {
  if (turn.offered.has("TodoWrite")) {
    return { text: "The list again, with what is done.", tools: [{ name: "TodoWrite", input: todos(turn) }] }
  }
  const taskId = TASK_ID.exec(turn.calls.find((call) => call.name === "TaskCreate")?.result ?? "")?.[1]
  if (taskId === undefined) return undefined
  return offering(turn, { tools: [{ name: "TaskUpdate", input: { taskId, status: "completed" } }] })
}

const WORD: Record<SettledCall["outcome"], string> = {
  succeeded: "done",
  denied: "denied",
  failed: "failed",
  unanswered: "no result"
}

const line = (turn: Turn, call: SettledCall): string => {
  const reason = call.outcome === "succeeded" ? "" : `: ${clip(reasonOf(call).replaceAll(/\s+/g, " "), 400)}`
  return `- ${callName(turn, call)}: ${WORD[call.outcome]}${reason}`
}

const permissionHint = (turn: Turn): string => {
  const denied = turn.calls.filter((call) => call.outcome === "denied")
  if (denied.length === 0) return ""
  const names = [...new Set(denied.map((call) => call.name))].join(", ")
  return `
Steps that needed permission and did not get it: ${names}. In print mode nobody can be asked. To allow these steps:

    nacre -p tour --permission-mode acceptEdits --allowedTools "Bash(mkdir *)" "Bash(ls *)"
`
}

const cleanUp = (turn: Turn): string => {
  const made = turn.calls.some(
    (call) => call.outcome === "succeeded" && (call.name === "Write" || call.input["command"] === ASKING_COMMAND)
  )
  return made ? `\nTo clean up: rm -r ${TOUR_FOLDER}\n` : ""
}

const summary = (turn: Turn): string => `${LABEL}

That was the tour. The calls and how they went:

${turn.calls.map((call) => line(turn, call)).join("\n")}
${permissionHint(turn)}${cleanUp(turn)}
Next: try "read README.md" or "search for import", or talk to a real model: run \`nacre login\`, or set ANTHROPIC_API_KEY.`

export const tour = (turn: Turn): Plan => ({
  steps: [begin, ...write(turn), readBoth, edit, look, command, askingCommand, finish],
  closing: (now) =>
    now.calls.length === 0
      ? `${LABEL}\n\nThe tour needs tools such as Write, Read and Bash, and none of them is offered in this session.`
      : summary(now),
  checksTools: false,
  origin: "tour"
})
