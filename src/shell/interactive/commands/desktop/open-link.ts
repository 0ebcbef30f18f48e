import { spawn } from "node:child_process"
import type { Env } from "../../../../core/domain/env.ts"
import { envForOwnPrograms } from "../../../system/helper-env.ts"
import type { PerformContext } from "../context/command-context.ts"

/** Opens a link in the user's browser. Only addresses of the web and of mail: anything else could start a program. */

const OPENABLE = new Set(["http:", "https:", "mailto:"])

const openable = (text: string): URL | undefined => {
  const url = URL.canParse(text) ? new URL(text) : undefined
  return url !== undefined && OPENABLE.has(url.protocol) ? url : undefined
}

/** Undefined where there is no desktop to open it on. */
const openerOf = (env: Env, platform: NodeJS.Platform): string | undefined => {
  if (env["SSH_TTY"] !== undefined || env["SSH_CONNECTION"] !== undefined) return undefined
  if (platform === "darwin") return "open"
  if (platform === "win32" || env["WSL_DISTRO_NAME"] !== undefined) return "explorer.exe"
  return (env["DISPLAY"] ?? env["WAYLAND_DISPLAY"] ?? "") === "" ? undefined : "xdg-open"
}

const start = (program: string, url: string, env: Env): Promise<void> =>
  new Promise((resolve, reject) => {
    const child = spawn(program, [url], { stdio: "ignore", detached: true, env: envForOwnPrograms(env) })
    child.on("error", reject)
    child.on("spawn", () => {
      child.unref()
      resolve()
    })
  })

export const openLink = ({ plan, notice, attempt }: PerformContext, text: string): void => {
  const url = openable(text)
  const program = openerOf(plan.env, process.platform)
  if (url === undefined) notice(`only web and mail links are opened, not ${text}`, "warning")
  else if (program === undefined) notice(`there is no desktop here to open it on: ${url.href}`, "warning")
  else attempt(`${url.href} was not opened`, () => start(program, url.href, plan.env))
}
