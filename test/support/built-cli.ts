import { type ChildProcessWithoutNullStreams, spawn, spawnSync } from "node:child_process"
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { atEndOfFile } from "./end-of-file.ts"
import { freshDirectory } from "./temp-world.ts"
import { isObject, type Json } from "./messages-validate.ts"

/**
 * Drives the built program as a user does: a process, its arguments, its pipes, its signals. The environment of a child
 * is made from nothing, so that no credential and no option of whoever runs the tests leaks in.
 */
const ROOT = dirname(dirname(dirname(fileURLToPath(import.meta.url))))
const LOCK = join(ROOT, "node_modules", ".nacre", "build.lock")
const LOCK_POLL_MS = 50
/** No run of the suite takes this long; one that does hangs. */
const HANG_MS = 40_000

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

const holderOf = (lock: string): number | undefined => {
  try {
    return Number(readFileSync(join(lock, "pid"), "utf8"))
  } catch {
    return undefined
  }
}

/** One builder at a time over all threads and processes; whoever waited finds a fresh build and builds nothing. */
const withBuildLock = async (work: () => void): Promise<void> => {
  mkdirSync(dirname(LOCK), { recursive: true })
  for (;;) {
    try {
      mkdirSync(LOCK)
      writeFileSync(join(LOCK, "pid"), String(process.pid))
      break
    } catch {
      const holder = holderOf(LOCK)
      if (holder !== undefined && !isAlive(holder)) rmSync(LOCK, { recursive: true, force: true })
      await new Promise((resolve) => setTimeout(resolve, LOCK_POLL_MS))
    }
  }
  try {
    work()
  } finally {
    rmSync(LOCK, { recursive: true, force: true })
  }
}

const build = (): void => {
  const builder = join(ROOT, "scripts", "dev.mjs")
  const { status, stderr } = spawnSync(process.execPath, [builder, "bundle"], { encoding: "utf8" })
  if (status !== 0) throw new Error(`the program could not be built:\n${stderr}`)
}

/** Path of the program, built first when it is stale. NACRE_TEST_CLI names another build, such as an installed one. */
const locate = async (): Promise<string> => {
  const named = process.env["NACRE_TEST_CLI"]
  if (named !== undefined) return named
  await withBuildLock(build)
  return join(ROOT, "dist", "nacre.js")
}

let located: Promise<string> | undefined

export const builtCli = (): Promise<string> => (located ??= locate())

/** Where a run takes place: its own home, config directory and working directory, all empty at first. */
export interface Place {
  readonly home: string
  readonly config: string
  readonly cwd: string
}

export const makePlace = (): Place => {
  const root = freshDirectory()
  const place = { home: join(root, "home"), config: join(root, "config"), cwd: join(root, "work") }
  for (const directory of Object.values(place)) mkdirSync(directory)
  return place
}

/** A place where the questions of the first start were answered: they would take keys whenever they come. */
export const makeKnownPlace = (): Place => {
  const place = makePlace()
  writeFileSync(join(place.config, ".claude.json"), '{ "hasCompletedOnboarding": true }')
  return place
}

export interface CliOptions {
  readonly place?: Place
  /** Written to the pipe, which is then closed, at once by default; null leaves it open. */
  readonly stdin?: string | Uint8Array | null
  readonly env?: Readonly<Record<string, string>>
  readonly cwd?: string
}

export interface CliResult {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  readonly stdout: string
  readonly stderr: string
  /** Lines of stdout that are JSON objects. */
  readonly lines: ReadonlyArray<Json>
}

export interface RunningCli {
  readonly pid: number
  readonly lines: () => ReadonlyArray<Json>
  readonly stderr: () => string
  /** The first line, present or to come, that fits; rejects when the program ends without it. */
  readonly line: (fits: (line: Json) => boolean, what?: string) => Promise<Json>
  /** Calls back with each line as it comes. */
  readonly onLine: (listen: (line: Json) => void) => void
  readonly write: (text: string) => void
  /** Everything written so far has left for the program; more than a pipe holds means that it reads. */
  readonly flushed: () => Promise<void>
  readonly closeStdin: () => void
  /** Stops reading for good, as `head` does. */
  readonly closeStdout: () => void
  readonly signal: (signal: NodeJS.Signals) => void
  readonly ended: Promise<CliResult>
}

const parseLine = (text: string): Json | undefined => {
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

const environmentOf = (place: Place, env: CliOptions["env"]): Record<string, string> => ({
  PATH: process.env["PATH"] ?? "/usr/bin:/bin",
  HOME: place.home,
  NACRE_CONFIG_DIR: place.config,
  LANG: "C.UTF-8",
  ...env
})

/** Lines as they arrive, and whoever waits for one of them. */
class LineReader {
  readonly lines: Array<Json> = []
  text = ""
  private rest = ""
  private readonly listeners = new Set<(line: Json) => void>()
  private readonly onEnd = new Set<() => void>()
  private over = false

  push(chunk: string): void {
    this.text += chunk
    const pieces = `${this.rest}${chunk}`.split("\n")
    this.rest = pieces.pop() ?? ""
    for (const piece of pieces) {
      const line = parseLine(piece)
      if (line === undefined) continue
      this.lines.push(line)
      for (const listen of this.listeners) listen(line)
    }
  }

  end(): void {
    this.over = true
    for (const finish of this.onEnd) finish()
  }

  listen(listen: (line: Json) => void): () => void {
    this.listeners.add(listen)
    return () => this.listeners.delete(listen)
  }

  first(fits: (line: Json) => boolean, what: string): Promise<Json> {
    const present = this.lines.find(fits)
    if (present !== undefined) return Promise.resolve(present)
    return new Promise((resolve, reject) => {
      const fail = (): void => reject(new Error(`the program ended without ${what}:\n${this.text}`))
      if (this.over) return fail()
      this.onEnd.add(fail)
      const forget = this.listen((line) => {
        if (!fits(line)) return
        forget()
        this.onEnd.delete(fail)
        resolve(line)
      })
    })
  }
}

const running = new Set<ChildProcessWithoutNullStreams>()

atEndOfFile(() => {
  for (const child of running) child.kill("SIGKILL")
})

const watch = (child: ChildProcessWithoutNullStreams, reader: LineReader, errors: () => string): Promise<CliResult> =>
  new Promise((resolve, reject) => {
    const hang = setTimeout(() => {
      child.kill("SIGKILL")
      reject(new Error(`the program still runs after ${HANG_MS} ms:\n${reader.text}\n${errors()}`))
    }, HANG_MS)
    child.once("error", reject)
    child.once("close", (code, signal) => {
      clearTimeout(hang)
      running.delete(child)
      reader.end()
      resolve({ code, signal, stdout: reader.text, stderr: errors(), lines: reader.lines })
    })
  })

/** Starts the program and leaves it running. */
export const start = async (args: ReadonlyArray<string>, options: CliOptions = {}): Promise<RunningCli> => {
  const cli = await builtCli()
  const place = options.place ?? makePlace()
  const child = spawn(process.execPath, [cli, ...args], {
    cwd: options.cwd ?? place.cwd,
    env: environmentOf(place, options.env),
    stdio: "pipe"
  })
  running.add(child)
  const reader = new LineReader()
  let errors = ""
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => reader.push(chunk))
  child.stderr.setEncoding("utf8").on("data", (chunk: string) => (errors += chunk))
  // A program that ends without reading its input closes the pipe early; that is its right.
  child.stdin.on("error", () => undefined)
  if (options.stdin !== null) child.stdin.end(options.stdin ?? "")
  const ended = watch(child, reader, () => errors)
  // Whoever awaits it hears of a hang; a test that failed for another reason does not fail twice.
  ended.catch(() => undefined)
  return {
    pid: child.pid ?? -1,
    lines: () => reader.lines,
    stderr: () => errors,
    line: (fits, what = "the line that was waited for") => reader.first(fits, what),
    onLine: (listen) => void reader.listen(listen),
    write: (text) => void child.stdin.write(text),
    flushed: () => new Promise((resolve) => void child.stdin.write("", () => resolve())),
    closeStdin: () => void child.stdin.end(),
    closeStdout: () => void child.stdout.destroy(),
    signal: (signal) => void child.kill(signal),
    ended
  }
}

/** Runs the program to its end. */
export const run = async (args: ReadonlyArray<string>, options: CliOptions = {}): Promise<CliResult> =>
  (await start(args, options)).ended
