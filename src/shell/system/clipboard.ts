import { spawn } from "node:child_process"
import type { Env } from "../../core/domain/env.ts"
import { fitsClipboard } from "../../tui/terminal/render/out-of-band.ts"
import { envForOwnPrograms } from "./helper-env.ts"
import { writeWhole } from "./private-file.ts"

/** Copying by whatever way there is, and saying truthfully which one it was. */
export interface CopyOptions {
  readonly text: string
  readonly env: Env
  readonly platform: NodeJS.Platform
  /** Asks the terminal itself; it never confirms. False when it cannot. */
  readonly askTerminal: (text: string) => boolean
  /** Where the text goes when nothing else works. */
  readonly fallbackFile: string
}

export interface CopyReport {
  readonly ok: boolean
  /** How much went which way, or why none worked. */
  readonly words: string
}

interface Tool {
  readonly file: string
  readonly args: ReadonlyArray<string>
  /** Arguments for the other selection that a desktop has. */
  readonly also?: ReadonlyArray<string>
}

const TOOL_LIMIT_MS = 2_000

/** The text comes from stdin as UTF-8, which the old program of that name does not read. */
const POWERSHELL: Tool = {
  file: "powershell.exe",
  args: [
    "-NoProfile",
    "-NonInteractive",
    "-Command",
    "[Console]::InputEncoding = [Text.Encoding]::UTF8; Set-Clipboard -Value ([Console]::In.ReadToEnd())"
  ]
}

const X11: ReadonlyArray<Tool> = [
  { file: "xclip", args: ["-selection", "clipboard"], also: ["-selection", "primary"] },
  { file: "xsel", args: ["--clipboard", "--input"], also: ["--primary", "--input"] }
]

/** Native tools only make sense where the desktop is: not over SSH. */
const toolsFor = ({ env, platform }: CopyOptions): ReadonlyArray<Tool> => {
  if (env["SSH_TTY"] !== undefined || env["SSH_CONNECTION"] !== undefined) return []
  if (platform === "darwin") return [{ file: "pbcopy", args: [] }]
  if (platform === "win32" || env["WSL_DISTRO_NAME"] !== undefined) return [POWERSHELL, { file: "clip.exe", args: [] }]
  const wayland = (env["WAYLAND_DISPLAY"] ?? "") === "" ? [] : [{ file: "wl-copy", args: [] }]
  return [...wayland, ...((env["DISPLAY"] ?? "") === "" ? [] : X11)]
}

/** Why it did not work; undefined when it did. */
const runTool = ({ file, args }: Tool, text: string, env: Env): Promise<string | undefined> =>
  new Promise((resolve) => {
    const options = { timeout: TOOL_LIMIT_MS, env: envForOwnPrograms(env), windowsHide: true }
    const child = spawn(file, args, { ...options, stdio: ["pipe", "ignore", "ignore"] })
    child.on("error", (error: NodeJS.ErrnoException) => resolve(error.code === "ENOENT" ? "not installed" : error.message))
    child.on("close", (code, signal) => resolve(code === 0 ? undefined : `ended with ${signal ?? `status ${code}`}`))
    child.stdin.on("error", () => {})
    child.stdin.end(text)
  })

const sizeText = (text: string): string => {
  const bytes = Buffer.byteLength(text)
  return bytes < 1024 ? `${bytes} bytes` : `${(bytes / 1024).toFixed(1)} KB`
}

const toFile = ({ text, fallbackFile }: CopyOptions, reasons: ReadonlyArray<string>): CopyReport => {
  const why = reasons.length === 0 ? "no clipboard was found" : reasons.join("; ")
  try {
    writeWhole(fallbackFile, text)
    return { ok: false, words: `not copied: ${why}. The text is in ${fallbackFile}` }
  } catch (error) {
    return { ok: false, words: `not copied: ${why}, and ${fallbackFile} cannot be written (${String(error)})` }
  }
}

/** The routes that a program confirmed, and why others failed. */
const copyWithTools = async (options: CopyOptions, reasons: Array<string>): Promise<ReadonlyArray<string>> => {
  const { text, env } = options
  const ways: Array<string> = []
  for (const tool of toolsFor(options)) {
    const problem = await runTool(tool, text, env)
    if (problem === undefined) {
      if (tool.also !== undefined) await runTool({ ...tool, args: tool.also }, text, env)
      ways.push(tool.file)
      break
    }
    reasons.push(`${tool.file}: ${problem}`)
  }
  if ((env["TMUX"] ?? "") === "") return ways
  const problem = await runTool({ file: "tmux", args: ["load-buffer", "-w", "-"] }, text, env)
  if (problem === undefined) return [...ways, "tmux"]
  reasons.push(`tmux: ${problem}`)
  return ways
}

export const copyText = async (options: CopyOptions): Promise<CopyReport> => {
  const reasons: Array<string> = []
  const ways = await copyWithTools(options, reasons)
  if (ways.length > 0) return { ok: true, words: `${sizeText(options.text)} with ${ways.join(" and ")}` }
  if (!fitsClipboard(options.text)) reasons.push("the terminal: the text is too long for it")
  else if (options.askTerminal(options.text)) {
    return { ok: true, words: `${sizeText(options.text)} to the terminal (OSC 52; it does not confirm)` }
  } else reasons.push("the terminal: it takes no text")
  return toFile(options, reasons)
}
