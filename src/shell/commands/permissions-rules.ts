import { realpathSync } from "node:fs"
import { resolve } from "node:path"
import type { InquiryPlace } from "../../core/permission/inquiry.ts"
import { configHome } from "../session/environment.ts"
import { openSettings } from "../settings/open.ts"
import { commandGate } from "../trust/command-gate.ts"
import type { CommandIo } from "./command-io.ts"

/** Where decisions are explained, and the rules of settings files, where they count. */
export const inquiryPlace = async (io: CommandIo, withSettings: boolean): Promise<InquiryPlace> => {
  const { env, cwd, home } = io
  if (!withSettings) return { cwd, home }
  const directory = resolve(configHome(env))
  const gate = await commandGate(io)
  const request = { env, home, configHome: directory, startDir: realpathSync(cwd) }
  const { permissions } = openSettings(request, () => gate).current()
  return {
    cwd,
    home,
    configHome: directory,
    rules: permissions.rules,
    directories: permissions.directories.map(({ path }) => path),
    secretFiles: permissions.secretFiles
  }
}
