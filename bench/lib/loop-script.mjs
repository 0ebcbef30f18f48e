import { writeFileSync } from "node:fs"
import { join } from "node:path"

const TURNS = 20
const FILE_LINES = 100

/** Replies and flags for a conversation of twenty calls, Bash and Read in turn, on a file made in `cwd`. */
export const loopScript = (cwd) => {
  const file = join(cwd, "notes.txt")
  writeFileSync(file, "a line of the file that is read again and again\n".repeat(FILE_LINES))
  const calls = Array.from({ length: TURNS }, (_, turn) => ({
    toolUse: turn % 2 === 0 ? { name: "Bash", input: { command: "true" } } : { name: "Read", input: { file_path: file } }
  }))
  return { replies: [...calls, { text: "Done." }], flags: ["--allowedTools", "Bash(true)"] }
}
