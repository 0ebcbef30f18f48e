/** Words that are for the program and not for the model. */
export type LineCommand =
  | { readonly _tag: "Leave" }
  | { readonly _tag: "Help" }
  | { readonly _tag: "Nothing" }
  | { readonly _tag: "Unknown"; readonly name: string }
  | { readonly _tag: "Prompt"; readonly text: string }

const LEAVE = new Set(["/exit", "/quit", "exit", "quit"])
const COMMAND = /^\/[a-z][\w-]*$/i

/** A lone word behind a slash is never sent: it was meant for the program, whether there is such a command or not. */
export const readCommand = (line: string): LineCommand => {
  const text = line.trim()
  if (text === "") return { _tag: "Nothing" }
  if (LEAVE.has(text)) return { _tag: "Leave" }
  if (text === "/help") return { _tag: "Help" }
  return COMMAND.test(text) ? { _tag: "Unknown", name: text } : { _tag: "Prompt", text: line }
}

export const HELP: ReadonlyArray<string> = [
  "Type a prompt and press Enter. A line that ends with a backslash goes on in the next one.",
  "What you type while an answer runs is queued and sent at the next safe point.",
  "Escape or Ctrl-C interrupts the running turn. Ctrl-C or Ctrl-D leaves when nothing runs.",
  "Shift+Tab changes the permission mode.",
  "/help shows this, /exit leaves. The prompt `tour` shows what the offline model can do."
]
