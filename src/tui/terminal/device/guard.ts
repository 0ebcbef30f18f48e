import { type ChildProcess, spawn } from "node:child_process"
import { searchPathOutside } from "../../../core/domain/path/search-path.ts"

/**
 * A tiny process that outlives us: it holds the terminal and the end of a pipe. When the pipe closes without a word of
 * farewell we were killed, and it puts the terminal back as it was.
 */
export interface Guard {
  /** Which screen is in use: the guard leaves the alternate one only where we are on it. */
  readonly onScreen: (screen: "main" | "alternate") => void
  /** We leave in good order; nothing is to be restored. */
  readonly dismiss: () => void
}

export const NO_GUARD: Guard = { onScreen: () => {}, dismiss: () => {} }

/** What puts everything back, from either screen. */
export interface LeaveBytes {
  readonly main: string
  readonly alternate: string
}

const FAREWELL = "bye"

/**
 * The shell keeps it small. It remembers how the terminal is set, unless we were faster and had set it already, and
 * reads which screen we are on; only our farewell ends it without work.
 */
const SCRIPT = `trap '' INT TERM HUP QUIT TSTP TTOU TTIN
saved=$(stty -g <&3) || saved=sane
case $(stty -a <&3) in *-icanon*) saved=sane ;; esac
leave=$1
while IFS= read -r word; do
  case $word in
    ${FAREWELL}) exit 0 ;;
    alternate) leave=$2 ;;
    main) leave=$1 ;;
  esac
done
stty $saved <&3
printf '%s' "$leave" >&3`

/** Starts the guard. Call it before the first mode is set. */
export const startGuard = (terminalFd: number, { main, alternate }: LeaveBytes): Guard => {
  if (process.platform === "win32") return NO_GUARD
  let child: ChildProcess
  try {
    child = spawn("/bin/sh", ["-c", SCRIPT, "nacre-guard", main, alternate], {
      stdio: ["pipe", "ignore", "ignore", terminalFd],
      cwd: "/",
      // Nobody has trusted the folder yet, so its programs must not be found.
      env: { PATH: `/usr/bin:/bin:${searchPathOutside(process.env["PATH"], [process.cwd()])}` },
      detached: true
    })
  } catch {
    return NO_GUARD
  }
  child.on("error", () => {})
  child.stdin?.on("error", () => {})
  child.unref()
  return {
    onScreen: (screen) => void child.stdin?.write(`${screen}\n`),
    dismiss: () => void child.stdin?.end(`${FAREWELL}\n`)
  }
}
