import { Effect, Layer } from "effect"
import { isOff } from "../../core/domain/env.ts"
import { isForeignDirectory } from "../../core/domain/path/search-path.ts"
import { execFile } from "node:child_process"
import { delimiter, isAbsolute, join } from "node:path"
import { Search } from "../../core/ports/Search.ts"
import { makeRipgrep } from "./ripgrep.ts"

/** Chooses the engine on first use: the packaged ripgrep, one on the PATH, or the built-in search. */
export type Environment = Readonly<Record<string, string | undefined>>

interface Candidate {
  readonly command: string
  readonly origin: string
}

const isElsewhere = (directory: string): boolean =>
  process.platform === "win32" || isForeignDirectory(directory, [process.cwd()])

const onPath = (env: Environment): ReadonlyArray<Candidate> =>
  (env["PATH"] ?? "")
    .split(delimiter)
    // A relative entry, or one of the folder at hand, would run whatever lies there.
    .filter((directory) => isAbsolute(directory) && isElsewhere(directory))
    .map((directory) => ({ command: join(directory, "rg"), origin: "from PATH" }))

/** The package throws on import where it has no program for this platform. */
const packaged = Effect.tryPromise(() => import("@vscode/ripgrep")).pipe(
  Effect.map(({ rgPath }): ReadonlyArray<Candidate> => [{ command: rgPath, origin: "packaged" }]),
  Effect.orElseSucceed((): ReadonlyArray<Candidate> => [])
)

/** First line of `--version`; nothing if the program is missing or does not run here. */
const versionOf = (command: string): Effect.Effect<string | undefined> =>
  Effect.callback((resume) => {
    execFile(command, ["--no-config", "--version"], { timeout: 5_000, cwd: "/", env: {} }, (error, stdout) =>
      resume(Effect.succeed(error === null ? stdout.split("\n", 1)[0] : undefined))
    )
  })

/** The first ripgrep that runs here. */
export const ripgrepFor = Effect.fnUntraced(function* (env: Environment) {
  const candidates = isOff(env["USE_BUILTIN_RIPGREP"]) ? onPath(env) : [...(yield* packaged), ...onPath(env)]
  for (const { command, origin } of candidates) {
    const version = yield* versionOf(command)
    if (version !== undefined) return { command, description: `${version}, ${origin}` }
  }
  return undefined
})

const choose = Effect.fnUntraced(function* (env: Environment) {
  const found = yield* ripgrepFor(env)
  if (found !== undefined) return makeRipgrep(found.command, found.description)
  const { makeFallback } = yield* Effect.promise(() => import("./fallback.ts"))
  return makeFallback("built-in search (slow): no ripgrep program runs here")
})

export const layerFor = (env: Environment): Layer.Layer<Search> =>
  Layer.effect(
    Search,
    // Uninterruptible, so that a cancelled first search does not decide for all later ones.
    Effect.map(Effect.cached(Effect.uninterruptible(choose(env))), (chosen) => ({
      glob: (request) => Effect.flatMap(chosen, (search) => search.glob(request)),
      names: (request) => Effect.flatMap(chosen, (search) => search.names(request)),
      grepFiles: (request) => Effect.flatMap(chosen, (search) => search.grepFiles(request)),
      grepCounts: (request) => Effect.flatMap(chosen, (search) => search.grepCounts(request)),
      grepLines: (request) => Effect.flatMap(chosen, (search) => search.grepLines(request)),
      engine: Effect.flatMap(chosen, (search) => search.engine)
    }))
  )

export const layer: Layer.Layer<Search> = layerFor(process.env)
