import { Effect, Layer } from "effect"
import type { Env } from "../../core/domain/env.ts"
import type { ParseShell } from "../../core/permission/bash/syntax.ts"
import { ShellParser, ShellParserFailure } from "../../core/ports/ShellParser.ts"
import { loadNative, loadWasm } from "./engine.ts"
import { rememberingParser } from "./remembering.ts"

/** Both engines give the same trees. */
type LoadEngine = () => Promise<ParseShell>

const why = (cause: unknown): string => (cause instanceof Error ? (cause.message.split("\n", 1)[0] ?? "") : String(cause))

const attempt = (load: LoadEngine): Effect.Effect<ParseShell, string> =>
  Effect.map(Effect.tryPromise({ try: load, catch: why }), rememberingParser)

export const layerOf = (engines: ReadonlyArray<LoadEngine>): Layer.Layer<ShellParser> =>
  Layer.effect(
    ShellParser,
    Effect.map(
      // Uninterruptible, so that a cancelled first decision does not decide for all later ones.
      Effect.cached(
        Effect.uninterruptible(
          Effect.firstSuccessOf(engines.map(attempt)).pipe(
            Effect.mapError(
              (reason) =>
                new ShellParserFailure({
                  message: `the shell parser could not be loaded, so every command asks — ${reason}. Fix: install Nacre again, its packages web-tree-sitter and tree-sitter-bash are missing or broken`
                })
            )
          )
        )
      ),
      (load) => ({ load })
    )
  )

/** The engine that runs everywhere, unless the compiled one is asked for and there. */
export const enginesFor = (env: Env): ReadonlyArray<LoadEngine> =>
  env["NACRE_SHELL_PARSER"] === "native" ? [loadNative, loadWasm] : [loadWasm]

export const layer: Layer.Layer<ShellParser> = layerOf(enginesFor(process.env))
