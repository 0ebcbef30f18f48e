import { existsSync } from "node:fs"
import { join, resolve } from "node:path"
import { toLf } from "../../../../core/domain/text/line-ending.ts"
import type { Env } from "../../../../core/domain/env.ts"
import type { Cmd, MemoryPlace } from "../../../../tui/model/cmd.ts"
import { runGit } from "../../../system/run-git.ts"
import { messageOf, type PerformContext } from "../context/command-context.ts"
import { readIfThere, writeWhole } from "../../../system/private-file.ts"

/** Lines that the user wants remembered: one bullet each in an instruction file. */

const LOCAL = "CLAUDE.local.md"
const SHARED_MODE = 0o644

const pathOf = (place: MemoryPlace, cwd: string, configHome: string): string => {
  if (place === "user") return join(configHome, "CLAUDE.md")
  if (place === "local") return join(cwd, LOCAL)
  const agents = join(cwd, "AGENTS.md")
  const own = join(cwd, "CLAUDE.md")
  return !existsSync(own) && existsSync(agents) ? agents : own
}

const ITEM = /^\s*[-*+] /
const CONTINUED = /^\s+\S/

/** Behind the last item of the last list, or -1. */
const endOfLastList = (lines: ReadonlyArray<string>): number => {
  let at = lines.findLastIndex((line) => ITEM.test(line))
  if (at < 0) return -1
  while (CONTINUED.test(lines[at + 1] ?? "")) at += 1
  return at + 1
}

/** The text with one more bullet: under its last list, or at the end. Line ends stay what they were. */
export const withBullet = (text: string, memory: string): string => {
  const bullet = `- ${memory.trim().replaceAll(/\s*\n\s*/g, " ")}`
  const lines = toLf(text).trimEnd().split("\n")
  const place = endOfLastList(lines)
  const isEmpty = lines.length === 1 && lines[0] === ""
  const added = place >= 0 ? lines.toSpliced(place, 0, bullet) : isEmpty ? [bullet] : [...lines, "", bullet]
  return `${added.join("\n")}\n`.replaceAll("\n", text.includes("\r\n") ? "\r\n" : "\n")
}

/** A file of one's own must not be committed by accident. */
const keepOutOfGit = async (cwd: string, env: Env): Promise<void> => {
  const git = { directory: cwd, env }
  const isRepository = await runGit({ ...git, args: ["rev-parse", "--git-dir"] }).then(
    () => true,
    () => false
  )
  if (!isRepository) return
  const isIgnored = await runGit({ ...git, args: ["check-ignore", "--quiet", LOCAL] }).then(
    () => true,
    () => false
  )
  if (isIgnored) return
  const named = await runGit({ ...git, args: ["rev-parse", "--git-path", "info/exclude"] })
  const exclude = resolve(cwd, named.toString("utf8").trim())
  const known = readIfThere(exclude) ?? ""
  writeWhole(exclude, `${known}${known === "" || known.endsWith("\n") ? "" : "\n"}${LOCAL}\n`, SHARED_MODE)
}

/** Writes it down and lets the running conversation know. */
export const appendMemory = (context: PerformContext, cmd: Extract<Cmd, { readonly _tag: "AppendMemory" }>): void =>
  context.attempt("nothing was remembered", async () => {
    const { plan, sessions, notice } = context
    const session = sessions.get(cmd.session)
    const cwd = session?.facts.cwd ?? plan.cwd
    const path = pathOf(cmd.place, cwd, plan.configHome)
    writeWhole(path, withBullet(readIfThere(path) ?? "", cmd.text), cmd.place === "project" ? SHARED_MODE : undefined)
    notice(`remembered in ${path}`, "success")
    const words = `The user added this to ${path}: ${cmd.text.trim()}`
    session?.submit(`<system-reminder>\n${words}\n</system-reminder>`, { priority: "later", appendOnly: true })
    if (cmd.place !== "local") return
    await keepOutOfGit(cwd, plan.env).catch((error: unknown) =>
      notice(`${LOCAL} is not kept out of git (${messageOf(error)}). Fix: add it to .gitignore`, "warning")
    )
  })
