/**
 * Opens the full screen once in a terminal of its own, so that the program leaves the machine code of its interface
 * beside the chunks. Without the terminal library the interface is compiled at each start.
 */
const [program, scratch] = process.argv.slice(2)

/**
 * Keys and when to press them: a letter typed and taken back. Doing more would only make more machine code, and all of
 * it is read at each start.
 */
const KEYS = [
  [600, "x"],
  [800, "\u007F"]
]
const LEAVE_FROM_MS = 1_000
const LEAVE_AGAIN_MS = 300
const LIMIT_MS = 15_000
/** The main screen is back: from now on a key could only disturb the writing. */
const LEFT = "\u001B[?1049l"

const warm = async () => {
  const { spawn } = await import("@lydell/node-pty")
  const terminal = spawn(process.execPath, [program], {
    name: "xterm-256color",
    cols: 120,
    rows: 40,
    cwd: scratch,
    env: { ...process.env, TERM: "xterm-256color", COLORTERM: "truecolor" }
  })
  let hasLeft = false
  terminal.onData((data) => {
    hasLeft ||= data.includes(LEFT)
  })
  for (const [at, keys] of KEYS) setTimeout(() => terminal.write(keys), at)
  const leave = () => {
    if (!hasLeft) terminal.write("\u0003")
  }
  setTimeout(() => setInterval(leave, LEAVE_AGAIN_MS), LEAVE_FROM_MS)
  setTimeout(() => terminal.kill("SIGKILL"), LIMIT_MS)
  await new Promise((resolve) => terminal.onExit(resolve))
}

await warm().catch(() => {})
process.exit(0)
