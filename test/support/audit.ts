import { spawnSync } from "node:child_process"
import { existsSync, readFileSync } from "node:fs"
import { dirname, join, relative, resolve } from "node:path"
import { fileURLToPath } from "node:url"
import { builtCli, type CliResult, type Place, run } from "./built-cli.ts"
import { freshDirectory } from "./temp-world.ts"

/** Runs the program and writes down what it did to the world: from inside, and from outside where strace works. */
export interface Audit {
  readonly spawned: ReadonlyArray<{ readonly file: string; readonly args: ReadonlyArray<string>; readonly cwd: string }>
  readonly connected: ReadonlyArray<string>
  /** Files and directories below the working directory that were opened, seen from it. */
  readonly opened: ReadonlyArray<string>
}

const PRELOAD = join(dirname(fileURLToPath(import.meta.url)), "audit-preload.cjs")

interface Note {
  readonly kind: "spawn" | "connect" | "open"
  readonly file: string
  readonly args: ReadonlyArray<string>
  readonly cwd: string
  readonly to: string
  readonly path: string
}

/** The environment that makes a program write its audit. */
export const auditEnv = (log: string): Record<string, string> => ({
  NODE_OPTIONS: `--require ${PRELOAD}`,
  NACRE_AUDIT: log
})

const below = (folder: string, paths: ReadonlyArray<string>): ReadonlyArray<string> => {
  const names = paths.map((path) => relative(folder, path)).filter((path) => path !== "" && !path.startsWith(".."))
  return [...new Set(names)].toSorted()
}

export const readAudit = (log: string, cwd: string): Audit => {
  const lines = existsSync(log)
    ? readFileSync(log, "utf8")
        .split("\n")
        .filter((line) => line !== "")
    : []
  const notes = lines.map((line) => JSON.parse(line) as Note)
  const of = (kind: Note["kind"]) => notes.filter((note) => note.kind === kind)
  return {
    spawned: of("spawn").map(({ file, args, cwd: at }) => ({ file, args, cwd: at })),
    connected: of("connect").map(({ to }) => to),
    opened: below(
      cwd,
      of("open").map(({ path }) => path)
    )
  }
}

export interface AuditedRun extends Audit {
  readonly result: CliResult
}

type Env = Readonly<Record<string, string>>

export const runAudited = async (args: ReadonlyArray<string>, place: Place, env: Env = {}): Promise<AuditedRun> => {
  const log = join(freshDirectory(), "audit")
  const result = await run(args, { place, env: { ...env, ...auditEnv(log) } })
  return { ...readAudit(log, place.cwd), result }
}

/** Some machines have no strace, or forbid it. */
const canTrace = (): boolean => spawnSync("strace", ["-o", "/dev/null", "true"], { stdio: "ignore" }).status === 0

/** What the kernel saw; undefined where it cannot be asked. */
export const traceRun = async (args: ReadonlyArray<string>, place: Place, env: Env = {}): Promise<Audit | undefined> => {
  if (!canTrace()) return undefined
  const cli = await builtCli()
  const log = join(freshDirectory(), "trace")
  const options = ["-f", "-qq", "-s", "4096", "-e", "trace=execve,open,openat,connect", "-o", log]
  spawnSync("strace", [...options, process.execPath, cli, ...args], {
    cwd: place.cwd,
    env: { PATH: process.env["PATH"] ?? "", HOME: place.home, NACRE_CONFIG_DIR: place.config, LANG: "C.UTF-8", ...env },
    stdio: "ignore"
  })
  const lines = readFileSync(log, "utf8").split("\n")
  const all = (pattern: RegExp): ReadonlyArray<string> => lines.flatMap((line) => pattern.exec(line)?.[1] ?? [])
  const [, ...programs] = all(/execve\("([^"]*)".* = 0$/)
  return {
    spawned: programs.map((file) => ({ file, args: [], cwd: "" })),
    connected: all(/connect\(\d+, (\{sa_family=AF_INET6?.*)/),
    opened: below(
      place.cwd,
      all(/open(?:at)?\((?:AT_FDCWD, )?"([^"]*)".* = \d+$/).map((path) => resolve(place.cwd, path))
    )
  }
}
