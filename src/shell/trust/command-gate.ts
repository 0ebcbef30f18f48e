import { realpathSync } from "node:fs"
import { resolve } from "node:path"
import { Effect } from "effect"
import { type Env, isOn } from "../../core/domain/env.ts"
import { CLOSED_GATE, type Gate } from "../../core/settings/trust/gate.ts"
import { trustLayer } from "../layers/ports.ts"
import { configHome, trustOptions } from "../plan/environment.ts"
import { inspectFolder } from "./folder-trust.ts"
import { realOr } from "./read-folder.ts"

/** Where a command was called. */
interface CommandPlace {
  readonly cwd: string
  readonly env: Env
  readonly home: string
}

/** What of a folder's settings a command may show as in force. Commands never ask; what cannot be decided stays closed. */
export const commandGate = ({ cwd, env, home }: CommandPlace): Promise<Gate> => {
  const at = { startDir: realpathSync(cwd), home: realOr(home), configHome: realOr(resolve(configHome(env))) }
  return inspectFolder(at, isOn(env["NACRE_TRUST"]), true).pipe(
    Effect.map(({ gate }) => gate),
    Effect.orElseSucceed(() => CLOSED_GATE),
    Effect.provide(trustLayer(trustOptions(env, home))),
    Effect.runPromise
  )
}
