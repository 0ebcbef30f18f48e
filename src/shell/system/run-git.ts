import { execFile } from "node:child_process"
import type { Env } from "../../core/domain/env.ts"

/**
 * Git for looking only. What a repository's own configuration could make it run is turned off: no file system monitor,
 * no pager, no lazy fetching, no prompts. Filters must be turned off by name: `withoutFilters` finds them.
 */
export interface GitCall {
  readonly directory: string
  readonly args: ReadonlyArray<string>
  readonly env: Env
  readonly stdin?: string
  /** Settings that go before those of the repository. */
  readonly settings?: GitSettings
}

export type GitSettings = ReadonlyArray<readonly [key: string, value: string]>

const TIMEOUT_MS = 10_000
const MOST_OUTPUT_BYTES = 64 * 1024 * 1024

const SAFE = ["--no-pager", "--no-optional-locks", "-c", "core.fsmonitor=false", "-c", "core.quotePath=false"]

/** Variables that would point git at another repository or make it run something. */
const MEANT_FOR_OTHERS = /^GIT_(?!SSL|CEILING|CONFIG_(?:GLOBAL|SYSTEM|NOSYSTEM)$)/

const settingsEnv = (settings: GitSettings): Env => ({
  GIT_CONFIG_COUNT: String(settings.length),
  ...Object.fromEntries(
    settings.flatMap(([key, value], index) => [
      [`GIT_CONFIG_KEY_${index}`, key],
      [`GIT_CONFIG_VALUE_${index}`, value]
    ])
  )
})

const envOf = (env: Env, settings: GitSettings): Env => ({
  ...Object.fromEntries(Object.entries(env).filter(([name]) => !MEANT_FOR_OTHERS.test(name))),
  ...settingsEnv(settings),
  GIT_NO_LAZY_FETCH: "1",
  GIT_TERMINAL_PROMPT: "0",
  LC_ALL: "C"
})

const firstLine = (text: string): string => text.trim().split("\n", 1)[0] ?? ""

/** The bytes that git printed. Fails with git's first words. */
export const runGit = ({ directory, args, env, stdin, settings = [] }: GitCall): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    const child = execFile(
      "git",
      [...SAFE, ...args],
      {
        cwd: directory,
        env: envOf(env, settings),
        encoding: "buffer",
        timeout: TIMEOUT_MS,
        maxBuffer: MOST_OUTPUT_BYTES,
        windowsHide: true
      },
      (error, stdout, stderr) => {
        if (error === null) resolve(stdout)
        else reject(new Error(firstLine(stderr.toString("utf8")) || error.message, { cause: error }))
      }
    )
    child.stdin?.on("error", () => {})
    child.stdin?.end(stdin ?? "")
  })

/** What git is configured to do, as far as the pattern names it. Git calls it a failure when there is nothing. */
export const readConfiguration = async (
  git: Pick<GitCall, "directory" | "env">,
  pattern: string
): Promise<ReadonlyArray<readonly [key: string, value: string]>> => {
  const printed = await runGit({ ...git, args: ["config", "-z", "--get-regexp", pattern] }).catch(() => Buffer.alloc(0))
  return printed
    .toString("utf8")
    .split("\0")
    .filter((entry) => entry !== "")
    .map((entry) => {
      const at = entry.indexOf("\n")
      return at < 0 ? ([entry, ""] as const) : ([entry.slice(0, at), entry.slice(at + 1)] as const)
    })
}

export const FILTERS = "^filter\\."

/** Settings under which none of these filters runs. */
export const turnOffFilters = (keys: ReadonlyArray<string>): GitSettings => {
  const filters = keys.filter((key) => key.startsWith("filter."))
  const names = new Set(filters.map((key) => key.slice(0, key.lastIndexOf("."))))
  return [...names].flatMap(
    (name) =>
      [
        [`${name}.clean`, ""],
        [`${name}.process`, ""],
        [`${name}.required`, "false"]
      ] as const
  )
}

/** Settings under which no filter of the repository runs; git would use one to look at a file that may have changed. */
export const withoutFilters = async (git: Pick<GitCall, "directory" | "env">): Promise<GitSettings> =>
  turnOffFilters((await readConfiguration(git, FILTERS)).map(([key]) => key))
