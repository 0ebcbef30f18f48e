import { execFile } from "node:child_process"
import type { Env } from "../../../../core/domain/env.ts"
import type { Cmd } from "../../../../tui/model/cmd.ts"
import type { PerformContext } from "../context/command-context.ts"

/**
 * The middle button of the mouse. A terminal that reports the mouse does not paste by itself, so the desktop is
 * asked what was selected last. The terminal is never asked: its answer could come from anywhere.
 */

const LIMIT_MS = 2_000
const MOST_BYTES = 16 * 1024 * 1024

type Program = readonly [file: string, ...args: ReadonlyArray<string>]

/** Programs that know the primary selection; only where the desktop is, not over SSH. */
export const primaryPrograms = (env: Env, platform: NodeJS.Platform): ReadonlyArray<Program> => {
  if (env["SSH_TTY"] !== undefined || env["SSH_CONNECTION"] !== undefined) return []
  if (platform === "darwin") return [["pbpaste"]]
  const isSet = (name: string): boolean => (env[name] ?? "") !== ""
  return [
    ...(isSet("WAYLAND_DISPLAY") ? [["wl-paste", "--primary", "--no-newline"] as const] : []),
    ...(isSet("DISPLAY")
      ? [["xclip", "-o", "-selection", "primary"] as const, ["xsel", "--primary", "--output"] as const]
      : [])
  ]
}

/** What a program printed; undefined when it did not work. */
const printedBy = ([file, ...args]: Program, env: Env): Promise<string | undefined> =>
  new Promise((resolve) => {
    execFile(file, args, { timeout: LIMIT_MS, maxBuffer: MOST_BYTES, env }, (error, stdout) =>
      resolve(error === null ? stdout : undefined)
    )
  })

export const readPrimary = async (env: Env, platform: NodeJS.Platform): Promise<string | undefined> => {
  for (const program of primaryPrograms(env, platform)) {
    const text = await printedBy(program, env)
    if (text !== undefined && text !== "") return text
  }
  return undefined
}

type Wish = Extract<Cmd, { readonly _tag: "PastePrimary" }>

/** Pasted as if the terminal had sent it: nothing in it is a key. */
export const pastePrimary = ({ plan, tell, notice, attempt }: PerformContext, { otherwise }: Wish): void =>
  attempt("nothing was pasted", async () => {
    const text = (await readPrimary(plan.env, process.platform)) ?? otherwise
    if (text === "") notice("nothing is selected to paste; with Shift the terminal itself pastes")
    else tell({ _tag: "Input", event: { _tag: "Paste", text } })
  })
