/**
 * The tour for a session with panes. It goes chapter by chapter: real calls in the scratch folder, then a few keys to
 * try at rest; `next` goes on. Which chapter is due stands in the prompts of the conversation.
 */
import { LABEL } from "./answer.ts"
import type { Turn } from "./conversation.ts"
import type { Entry, PlannedCall, Plan, Step } from "./entry.ts"
import { successfulCalls, writing } from "./steps.ts"
import { isTour, TOUR_FOLDER } from "./tour.ts"
import { pathFrom } from "./words.ts"

interface Chapter {
  readonly title: string
  /** Said before the first call. */
  readonly opening: string
  readonly steps: (turn: Turn) => ReadonlyArray<Step>
  /** The keys to try now. */
  readonly keys: string
}

const PEARL = `# How a pearl grows

A grain of sand gets in.
The oyster covers it, layer by layer.
`

const SCRIPT = `const layers = 3
for (let layer = 1; layer <= layers; layer++) console.log("layer", layer)
`

const LIVE_OUTPUT = 'for n in 1 2 3 4 5 6; do echo "layer $n of 6"; sleep 0.5; done'

const file = (turn: Turn, name: string): string => pathFrom(turn, `${TOUR_FOLDER}/${name}`)

const write = (turn: Turn): ReadonlyArray<Step> =>
  writing("Two new files. The dialog shows each of them before it exists.", [
    { path: file(turn, "pearl.md"), content: PEARL },
    { path: file(turn, "layers.js"), content: SCRIPT }
  ])

const edit: Step = (turn) =>
  successfulCalls(turn.latest)
    ? {
        text: "Now an edit. The dialog shows the difference: `-` goes, `+` comes. `d` shows more of it.",
        tools: [
          {
            name: "Edit",
            input: {
              file_path: file(turn, "pearl.md"),
              old_string: "A grain of sand gets in.",
              new_string: "A grain of sand gets in, and stays."
            }
          }
        ]
      }
    : undefined

const command: Step = () => ({
  tools: [{ name: "Bash", input: { command: LIVE_OUTPUT, description: "Count the layers of a pearl" } }]
})

const search: Step = (turn) => ({
  tools: [{ name: "Grep", input: { pattern: "layer", path: pathFrom(turn, TOUR_FOLDER), output_mode: "content" } }]
})

const CHAPTERS: ReadonlyArray<Chapter> = [
  {
    title: "panes",
    opening: `Welcome. The tour has five short parts and works in the folder ${TOUR_FOLDER}. The tasks list them.`,
    steps: () => [],
    keys: `**Part 1: panes.** You are in the prompt. Try these keys:

- \`ctrl+x o\` goes to the next pane and round again; \`i\` comes back to the prompt
- \`ctrl+x ctrl+w g\` shows the tasks; from a pane it is \`ctrl+w g\`
- \`ctrl+w z\` makes a pane as large as the screen; again: as before
- \`ctrl+w d\` shows the changes, \`ctrl+w t\` this conversation`
  },
  {
    title: "a permission and a diff",
    opening:
      "**Part 2: permission.** I am going to change files, so you are asked. `1` or `y` says yes, `Tab` adds a " +
      "comment, `ctrl+e` asks a model about the risk. `3` says no and ends my turn; `next` goes on all the same.",
    steps: (turn) => [...write(turn), edit],
    keys: `The files are written. Look at what changed:

- \`ctrl+x ctrl+w d\` goes to the changes
- \`]c\` and \`[c\` go from hunk to hunk, \`]f\` and \`[f\` from file to file
- \`yh\` yanks the hunk as a patch
- \`i\` comes back`
  },
  {
    title: "live output",
    opening:
      "**Part 3: a command.** You are asked again. It prints a line now and then; you see each as it comes. `Esc` would stop it.",
    steps: () => [command],
    keys: `The command is done. Now read back:

- \`ctrl+o\` goes to this conversation with everything open; \`i\` comes back to the prompt
- \`ctrl+u\` and \`ctrl+d\` scroll, \`gg\` goes to the top, \`G\` to the end
- \`]t\` and \`[t\` go from call to call, \`za\` folds and unfolds`
  },
  {
    title: "search and yank",
    opening: "**Part 4: search and yank.** I look for a word, so that there is something to find.",
    steps: () => [search],
    keys: `This is code to take with you:

\`\`\`sh
node ${TOUR_FOLDER}/layers.js
\`\`\`

- \`ctrl+o\`, then \`/layer\` and Enter finds the word; \`n\` and \`N\` go on and back
- \`G\` and \`[b\` go to the code above, \`yic\` yanks it without its fence; a notice says where it went
- \`V\` selects lines, \`y\` yanks them, \`p\` puts them into the prompt`
  },
  {
    title: "vim keys in the prompt",
    opening: "**Part 5: the prompt.**",
    steps: () => [],
    keys: `- \`/vim\` switches to vim keys and back: \`Esc\`, \`ciw\`, \`dd\`, \`u\` and the others work as you write
- \`@\` names files, \`!\` runs a command of yours, \`/\` lists commands
- \`F1\` shows all keys that work now, \`ctrl+x ctrl+p\` finds commands, panes and sessions by name
- \`/resume\` opens an earlier session, \`/theme\` other colours, \`ctrl+d\` twice leaves

That was the tour. To clean up: \`! rm -r ${TOUR_FOLDER}\`. To talk to a real model, run \`nacre login\` or set ANTHROPIC_API_KEY.`
  }
]

export const CHAPTER_COUNT = CHAPTERS.length

const NUMBERED = /^tour\s+(\d+)[.!]?$/i
const NEXT = /^next[.!]?$/i

const startOf = (prompt: string): number | undefined => {
  if (isTour(prompt)) return 1
  const number = NUMBERED.exec(prompt.trim())?.[1]
  return number === undefined ? undefined : Math.min(Math.max(1, Number(number)), CHAPTER_COUNT)
}

/** The chapter that the last prompt asks for. Other prompts in between do not end the tour. */
export const chapterOf = (prompts: ReadonlyArray<string>): number | undefined => {
  const last = prompts.at(-1) ?? ""
  if (!NEXT.test(last.trim())) return startOf(last)
  const begun = prompts.findLastIndex((prompt) => startOf(prompt) !== undefined)
  const start = startOf(prompts[begun] ?? "")
  if (start === undefined) return undefined
  const steps = prompts.slice(begun + 1).filter((prompt) => NEXT.test(prompt.trim())).length
  return start + steps > CHAPTER_COUNT ? undefined : start + steps
}

const statusOf = (index: number, chapter: number): string =>
  index < chapter ? "completed" : index === chapter ? "in_progress" : "pending"

const todos = (done: number): PlannedCall => ({
  name: "TodoWrite",
  input: {
    todos: CHAPTERS.map(({ title }, index) => ({
      content: title,
      status: statusOf(index, done),
      activeForm: `Touring: ${title}`
    }))
  }
})

const offering =
  (step: Step): Step =>
  (turn) => {
    const entry = step(turn)
    if (entry === undefined) return undefined
    const tools = (entry.tools ?? []).filter(({ name }) => turn.offered.has(name))
    return tools.length === 0 ? undefined : { ...entry, tools }
  }

/** The opening stands before whatever call comes first. */
const opened = (opening: string, steps: ReadonlyArray<Step>): ReadonlyArray<Step> =>
  steps.map((step): Step => (turn) => {
    const entry: Entry | undefined = step(turn)
    if (entry === undefined || turn.responses.length > 0) return entry
    return { ...entry, text: [LABEL, opening, entry.text].filter((part) => part !== undefined).join("\n\n") }
  })

export const guidedTour = (turn: Turn, chapter: number): Plan => {
  const { opening, steps, keys } = CHAPTERS[chapter - 1] ?? { opening: "", steps: () => [], keys: "" }
  const isLast = chapter === CHAPTER_COUNT
  const list: Step = () => ({ tools: [todos(isLast ? CHAPTER_COUNT : chapter - 1)] })
  const onward = isLast ? "" : `\n\nType \`next\` for part ${chapter + 1}: ${CHAPTERS[chapter]?.title ?? ""}.`
  return {
    steps: opened(opening, [list, ...steps(turn)].map(offering)),
    closing: (now) => `${now.responses.length === 0 ? `${LABEL}\n\n${opening}\n\n` : ""}${keys}${onward}`,
    checksTools: false,
    origin: `tour ${chapter}`
  }
}
