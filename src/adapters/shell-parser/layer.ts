import { Effect, Layer } from "effect"
import type { ParseShell } from "../../core/permission/bash/syntax.ts"
import { ShellParser, ShellParserFailure } from "../../core/ports/ShellParser.ts"
import { loadNative, loadWasm } from "./engine.ts"
import { rememberingParser } from "./remembering.ts"

/** Loads the compiled engine, or else the one that runs everywhere; both give the same trees. */
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

export const layer: Layer.Layer<ShellParser> = layerOf([loadNative, loadWasm])
