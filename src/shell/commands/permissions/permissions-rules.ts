import { realpathSync } from "node:fs"
import { resolve } from "node:path"
import type { InquiryPlace } from "../../../core/permission/decide/inquiry.ts"
import { sandboxSettingsOf } from "../../../core/sandbox/from-settings.ts"
import { summarise } from "../../../core/sandbox/summary.ts"
import { inquiredTool } from "../../../core/tools/contract/any-tool.ts"
import { BUILT_IN_TOOLS } from "../../../core/tools/built-in-tools.ts"
import { configHome, pathSystem } from "../../plan/environment.ts"
import { openSettings } from "../../settings/open-settings.ts"
import { commandGate } from "../../trust/command-gate.ts"
import type { CommandIo } from "../io/command-io.ts"

const TOOLS = BUILT_IN_TOOLS.map(inquiredTool)

/** Where decisions are explained, and the rules of settings files as far as the folder is trusted, where they count. */
export const inquiryPlace = async (io: CommandIo, withSettings: boolean): Promise<InquiryPlace> => {
  const { env, cwd, home } = io
  if (!withSettings) return { tools: TOOLS, cwd, home, conditions: pathSystem(env) }
  const directory = resolve(configHome(env))
  const gate = await commandGate(io)
  const hub = openSettings({ env, home, configHome: directory, startDir: realpathSync(cwd) }, () => gate)
  const { snapshot, permissions } = hub.current()
  const { rules, directories, secretFiles, bypassProtectedPaths, preapprovedHosts, auto } = permissions
  return {
    tools: TOOLS,
    cwd,
    home,
    configHome: directory,
    rules,
    directories: directories.map(({ path }) => path),
    conditions: {
      ...pathSystem(env),
      secretFiles,
      bypassProtectedPaths,
      preapprovedHosts,
      auto,
      sandbox: summarise(sandboxSettingsOf(snapshot, { home, configHome: directory, startDir: realpathSync(cwd) })),
      bypassAvailable: !permissions.bypassLocked,
      autoAvailable: !permissions.autoLocked
    }
  }
}
