import { spawn } from "node:child_process"
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { basename, join } from "node:path"
import { Result } from "effect"
import type { Env } from "../../core/domain/env.ts"
import { envForOwnPrograms } from "./helper-env.ts"

/** Lending the terminal to the user's own editor. */

const editorOf = (env: Env, platform: NodeJS.Platform): string =>
  env["VISUAL"] || env["EDITOR"] || (platform === "win32" ? "notepad" : "vi")

/** Editors that take the line as `+N`; for the others the file alone. */
const TAKES_LINE = /^(?:vi|vim|nvim|nano|emacs|emacsclient|kak|micro|ne|joe|mg|ed)$/
const TAKES_GOTO = /^(?:code|code-insiders|cursor|windsurf|codium)$/

const lineArguments = (program: string, path: string, line: number): ReadonlyArray<string> => {
  if (TAKES_LINE.test(program)) return [`+${line}`, path]
  if (TAKES_GOTO.test(program)) return ["--goto", `${path}:${line}`]
  return program === "hx" || program === "subl" || program === "zed" ? [`${path}:${line}`] : [path]
}

export interface EditorRun {
  readonly path: string
  readonly line: number
  readonly env: Env
  readonly cwd: string
  /** Set off when the program has to end while the editor is open: it is ended as if the terminal had gone. */
  readonly leaving?: AbortSignal
}

const NOT_FOUND = 127

/** `$EDITOR` is a line for the shell, as git and others take it; Windows has none and gets its words. */
const commandOf = (editor: string, args: ReadonlyArray<string>): readonly [string, ReadonlyArray<string>] => {
  if (process.platform !== "win32") return ["sh", ["-c", `${editor} "$@"`, editor, ...args]]
  const [program = editor, ...own] = editor.split(/\s+/)
  return [program, [...own, ...args]]
}

const fault = (editor: string, words: string): Result.Result<never, string> =>
  Result.fail(`the editor \`${editor}\` ${words}`)

/** Runs the editor on a file and waits. A text says why it failed. The caller has given the terminal away. */
export const runEditor = ({ path, line, env, cwd, leaving }: EditorRun): Promise<Result.Result<void, string>> =>
  new Promise((resolve) => {
    const editor = editorOf(env, process.platform)
    const program = basename(editor.split(/\s+/, 1)[0] ?? editor)
    const [file, args] = commandOf(editor, lineArguments(program, path, line))
    const child = spawn(file, args, { stdio: "inherit", cwd, env: envForOwnPrograms(env) })
    leaving?.addEventListener("abort", () => child.kill("SIGHUP"), { once: true })
    child.on("error", (error) => resolve(fault(editor, `could not be started (${error.message}). Fix: set $EDITOR`)))
    child.on("close", (code, signal) => {
      if (code === 0) resolve(Result.succeed(undefined))
      else if (code === NOT_FOUND) resolve(fault(editor, "was not found. Fix: set $EDITOR to one that is installed"))
      else resolve(fault(editor, `ended with ${signal ?? `status ${code}`}; nothing was changed`))
    })
  })

/** A text as a private file for as long as it is used. */
export const withPrivateFile = async <A>(name: string, text: string, use: (path: string) => Promise<A>): Promise<A> => {
  const directory = mkdtempSync(join(tmpdir(), "nacre-"))
  try {
    const path = join(directory, basename(name))
    writeFileSync(path, text, { mode: 0o600 })
    return await use(path)
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}

export interface EditPlace {
  readonly name: string
  readonly line: number
  readonly env: Env
  readonly cwd: string
  readonly leaving?: AbortSignal
}

/** Lets the user edit a text in a private file; gives the text back as it was saved. */
export const editText = (text: string, { name, ...at }: EditPlace): Promise<Result.Result<string, string>> =>
  withPrivateFile(name, text, async (path) => {
    const visited = await runEditor({ path, ...at })
    if (Result.isFailure(visited)) return Result.fail(visited.failure)
    if (!existsSync(path)) return fault(editorOf(at.env, process.platform), "left no file behind; nothing was changed")
    return Result.succeed(readFileSync(path, "utf8").replace(/\r?\n$/, ""))
  })
