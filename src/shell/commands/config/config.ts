import { realpathSync } from "node:fs"
import { resolve } from "node:path"
import { configHome } from "../../plan/environment.ts"
import type { SettingsHub } from "../../settings/settings-hub.ts"
import { openSettings } from "../../settings/open-settings.ts"
import { commandGate } from "../../trust/command-gate.ts"
import type { CommandIo } from "../io/command-io.ts"
import type { CommandInvocation } from "../../cli/options.ts"
import { edit } from "./config-edit.ts"
import { explain, get, list, path, schema } from "./config-read.ts"
import { addItem, removeItem, set, unset } from "./config-write.ts"

/** `nacre config …`: shows and changes settings without starting a session. */
type Sub = (hub: SettingsHub, invocation: CommandInvocation, io: CommandIo) => number | Promise<number>

const SUBS: Readonly<Record<string, Sub>> = {
  list,
  get,
  set,
  unset,
  add: addItem,
  remove: removeItem,
  explain,
  edit,
  schema,
  path
}

const hubFor = async (io: CommandIo): Promise<SettingsHub> => {
  const { env, cwd, home } = io
  const gate = await commandGate(io)
  return openSettings({ env, home, configHome: resolve(configHome(env)), startDir: realpathSync(cwd) }, () => gate)
}

export const runConfig = async (invocation: CommandInvocation, io: CommandIo): Promise<number> => {
  const sub = SUBS[invocation.sub ?? ""]
  return sub === undefined ? 1 : sub(await hubFor(io), invocation, io)
}
