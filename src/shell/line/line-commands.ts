import type { NotePlace } from "../../core/context/memory/look.ts"

/** Words that are for the program and not for the model. */
export type LineCommand =
  | { readonly _tag: "Leave" }
  | { readonly _tag: "Help" }
  | { readonly _tag: "Nothing" }
  | { readonly _tag: "Remember"; readonly place: NotePlace; readonly text: string }
  | { readonly _tag: "Memory"; readonly what: "show" | "undo" | "reload" }
  | { readonly _tag: "Forget"; readonly name: string }
  | { readonly _tag: "Context"; readonly all: boolean }
  | { readonly _tag: "Unknown"; readonly name: string }
  | { readonly _tag: "Prompt"; readonly text: string }

const LEAVE = new Set(["/exit", "/quit", "exit", "quit"])
const NOTE = /^#(project|user|local|memory)?[ \t]+(\S.*)$/
const FORGET = /^\/memory[ \t]+delete[ \t]+(\S+)$/

const MEMORY = /^\/memory(?:[ \t]+(undo|reload))?$/

const isPlace = (word: string): word is NotePlace => ["project", "user", "local", "memory"].includes(word)

/** What is about instructions and memory. */
const memoryCommand = (text: string): LineCommand | undefined => {
  const [, place = "project", note] = NOTE.exec(text) ?? []
  if (note !== undefined && isPlace(place)) return { _tag: "Remember", place, text: note }
  const name = FORGET.exec(text)?.[1]
  if (name !== undefined) return { _tag: "Forget", name }
  const what = MEMORY.exec(text)?.[1] ?? "show"
  return MEMORY.test(text) && (what === "show" || what === "undo" || what === "reload")
    ? { _tag: "Memory", what }
    : undefined
}

const COMMAND = /^\/[a-z][\w-]*$/i

/** A lone word behind a slash is never sent: it was meant for the program, whether there is such a command or not. */
export const readCommand = (line: string): LineCommand => {
  const text = line.trim()
  if (text === "") return { _tag: "Nothing" }
  if (LEAVE.has(text)) return { _tag: "Leave" }
  if (text === "/help") return { _tag: "Help" }
  if (/^\/context(?:[ \t]+all)?$/.test(text)) return { _tag: "Context", all: text !== "/context" }
  const memory = memoryCommand(text)
  if (memory !== undefined) return memory
  return COMMAND.test(text) ? { _tag: "Unknown", name: text } : { _tag: "Prompt", text: line }
}

export const HELP: ReadonlyArray<string> = [
  "Type a prompt and press Enter. A line that ends with a backslash goes on in the next one.",
  "What you type while an answer runs is queued and sent at the next safe point.",
  "Escape or Ctrl-C interrupts the running turn. Ctrl-C or Ctrl-D leaves when nothing runs.",
  "Shift+Tab changes the permission mode.",
  "# TEXT is written into CLAUDE.md; #local, #user and #memory TEXT go to files of your own.",
  "/context shows what fills the window and what goes next; /context all lists every item.",
  "/memory shows what the model knows between conversations; /memory delete FILE, /memory undo,",
  "/memory reload: instruction files that were changed count from the next prompt on.",
  "/help shows this, /exit leaves. The prompt `tour` shows what the offline model can do."
]
