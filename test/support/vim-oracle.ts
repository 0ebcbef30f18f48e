import { spawn } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"

/**
 * Real vim as the judge of the vim engine: thousands of key scripts go through one process, about a millisecond each.
 * Keys count as typed by a user (see vim-oracle.vim), which is what the engine models.
 */
const SCRIPT = fileURLToPath(new URL("vim-oracle.vim", import.meta.url))
/** A process that takes longer hangs: ten times what it needs on a busy machine. */
const START_MS = 10_000
const CASE_MS = 60

export interface VimCase {
  readonly lines: ReadonlyArray<string>
  /** Keys in parts; vim is observed after each. */
  readonly parts: ReadonlyArray<ReadonlyArray<string>>
  /** Arguments of `:set`. Every case names the same options: they stay until the next one. */
  readonly settings: string
}

export interface VimRegister {
  readonly type: "charwise" | "linewise" | "blockwise"
  readonly lines: ReadonlyArray<string>
}

export interface VimPlace {
  readonly line: number
  /** UTF-16 offset in the line. */
  readonly column: number
}

export interface VimState {
  readonly lines: ReadonlyArray<string>
  readonly caret: VimPlace
  /** The other end of a visual selection; the caret itself in other modes. */
  readonly anchor: VimPlace
  /** As vim's mode(1) says: n, i, R, v, V, \x16, no, c ... */
  readonly mode: string
  readonly registers: Readonly<Record<string, VimRegister>>
}

interface RawState {
  readonly lines: ReadonlyArray<string>
  readonly caret: readonly [number, number]
  readonly anchor: readonly [number, number]
  readonly mode: string
  readonly registers: Readonly<Record<string, { readonly type: string; readonly lines: ReadonlyArray<string> }>>
}

const TYPES: Readonly<Record<string, VimRegister["type"]>> = { v: "charwise", V: "linewise", "\x16": "blockwise" }

const place = (lines: ReadonlyArray<string>, [line, byte]: readonly [number, number]): VimPlace => ({
  line: line - 1,
  column: Buffer.from(lines[line - 1] ?? "")
    .subarray(0, byte - 1)
    .toString().length
})

/** What a case starts with, because vim has no way to empty them; a register that still holds it counts as unset. */
const UNTOUCHED: Readonly<Record<string, string>> = { ".": "", ":": '"' }

const registersOf = (raw: RawState["registers"]): VimState["registers"] =>
  Object.fromEntries(
    Object.entries(raw)
      .filter(([name, { lines }]) => UNTOUCHED[name] !== lines.join("\n"))
      .map(([name, { type, lines }]) => [name, { type: TYPES[type] ?? "charwise", lines }])
  )

const stateOf = (raw: RawState): VimState => ({
  lines: raw.lines,
  caret: place(raw.lines, raw.caret),
  anchor: place(raw.lines, raw.anchor),
  mode: raw.mode,
  registers: registersOf(raw.registers)
})

const MISSING =
  "vim is not installed, and these tests compare the prompt with it: install it with " +
  "`apt-get install vim`, `dnf install vim`, `apk add vim` or `brew install vim`"

const runVim = (cases: string, answers: string, limitMs: number): Promise<void> =>
  new Promise((resolve, reject) => {
    const child = spawn("vim", ["-Nu", "NONE", "-i", "NONE", "-n", "--not-a-term", "-S", SCRIPT], {
      env: {
        PATH: process.env["PATH"],
        // A terminal without keys of its own: an Escape and what follows it are always two keys.
        TERM: "dumb",
        LC_ALL: "C.UTF-8",
        ORACLE_CASES: cases,
        ORACLE_ANSWERS: answers
      },
      // A pipe that stays open: at the end of its input vim would read keys from elsewhere.
      stdio: ["pipe", "ignore", "ignore"],
      timeout: limitMs,
      killSignal: "SIGKILL"
    })
    child.once("error", (error) => {
      reject("code" in error && error.code === "ENOENT" ? new Error(MISSING) : error)
    })
    child.once("close", () => {
      resolve()
    })
  })

const answersIn = (file: string): ReadonlyArray<string> => {
  try {
    // What stands behind the last line break was not written to its end.
    return readFileSync(file, "utf8").split("\n").slice(0, -1)
  } catch {
    return []
  }
}

/** Answers from the front of the list, as far as vim came. */
const askOnce = async (cases: ReadonlyArray<VimCase>): Promise<ReadonlyArray<ReadonlyArray<VimState>>> => {
  const directory = mkdtempSync(join(tmpdir(), "nacre-vim-"))
  try {
    const asked = join(directory, "cases")
    const answered = join(directory, "answers")
    writeFileSync(asked, cases.map((one) => `${JSON.stringify(one)}\n`).join(""))
    await runVim(asked, answered, START_MS + CASE_MS * cases.length)
    return answersIn(answered).map((answer) => (JSON.parse(answer) as ReadonlyArray<RawState>).map(stateOf))
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}

/**
 * The states after each part. None for a case that could not be observed: its keys left vim waiting for a character,
 * ended it or hung it.
 */
export const askVim = async (cases: ReadonlyArray<VimCase>): Promise<ReadonlyArray<ReadonlyArray<VimState>>> => {
  const answers: Array<ReadonlyArray<VimState>> = []
  while (answers.length < cases.length) {
    answers.push(...(await askOnce(cases.slice(answers.length))))
    if (answers.length < cases.length) answers.push([])
  }
  return answers
}
