import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { basename, join } from "node:path"
import { Result } from "effect"
import { permissionProblems } from "../../../core/permission/configuration/from-settings.ts"
import { problemsIn } from "../../../core/settings/check-value.ts"
import { excerptLines, isFileProblem, problemText, type SettingsProblem } from "../../../core/settings/origin.ts"
import type { SettingsSource } from "../../../core/domain/settings-source.ts"
import { changedKeys } from "../../../core/settings/snapshot.ts"
import { runEditor } from "../../system/external-editor.ts"
import type { SettingsHub } from "../../settings/settings-hub.ts"
import type { CommandIo } from "../io/command-io.ts"
import type { CommandInvocation } from "../../cli/options.ts"
import { sourceFlag } from "./config-read.ts"

/**
 * `nacre config edit`: a copy of a settings file goes through the user's editor. The file itself is replaced only by a
 * text that can be read, so no running session ever sees it half written.
 */
const EMPTY_FILE = "{\n}\n"

interface Editing {
  readonly hub: SettingsHub
  readonly io: CommandIo
  readonly source: SettingsSource
  readonly file: string
  /** The copy that is edited. */
  readonly copy: string
  /** The file as it was before. */
  readonly before: string
}

const complain = (io: CommandIo, text: string): number => {
  io.err(`nacre: ${text}\n`)
  return 1
}

type Choice = "edit" | "write" | "leave"

const answerOf = async (io: CommandIo, mayWrite: boolean): Promise<Choice> => {
  io.err(`e edits again, ${mayWrite ? "w writes it all the same, " : ""}q leaves the file as it was: `)
  for await (const lines of io.lineBlocks()) {
    for (const line of lines) {
      const word = line.trim().toLowerCase()
      if (word === "e") return "edit"
      if (word === "w" && mayWrite) return "write"
      if (word === "q") return "leave"
      io.err("e, w or q: ")
    }
  }
  return "leave"
}

/** A file that cannot be read is never written; of other faults only those that the edit brought in stop it. */
const choiceAbout = async (
  io: CommandIo,
  problems: ReadonlyArray<SettingsProblem>,
  former: ReadonlyArray<SettingsProblem>
): Promise<Choice> => {
  for (const problem of problems) io.err(`nacre: ${problemText(problem)}\n${excerptLines(problem)}`)
  const isNew = ({ path, message }: SettingsProblem): boolean =>
    !former.some((each) => each.path === path && each.message === message)
  const faults = problems.filter((problem) => problem.level === "error" && (isFileProblem(problem) || isNew(problem)))
  if (faults.length === 0) return "write"
  return io.stdinIsTerminal ? answerOf(io, !faults.some(isFileProblem)) : "leave"
}

const write = async ({ hub, io, source, file, before }: Editing, after: string): Promise<number> => {
  const old = hub.current().snapshot
  const written = await hub.editText(source, (present) =>
    present === before ? Result.succeed(after) : Result.fail("it was changed meanwhile. Fix: edit again")
  )
  if (Result.isFailure(written)) return complain(io, written.failure)
  const keys = changedKeys(old, hub.current().snapshot)
  io.out(`${file} was written${keys.length === 0 ? "" : `; in force now: ${keys.join(", ")}`}\n`)
  for (const notice of written.success.notices) io.err(`nacre: ${notice}\n`)
  return 0
}

const editUntilSettled = async (editing: Editing): Promise<number> => {
  const { io, source, file, copy, before } = editing
  const former = problemsIn({ source, file, text: before }, [permissionProblems])
  let line = former.find(({ level }) => level === "error")?.line ?? 1
  for (;;) {
    const visited = await runEditor({ path: copy, line, env: io.env, cwd: io.home })
    if (Result.isFailure(visited)) return complain(io, visited.failure)
    const after = readFileSync(copy, "utf8")
    if (after === before || (before === "" && after === EMPTY_FILE)) {
      io.out("Nothing was changed.\n")
      return 0
    }
    const problems = problemsIn({ source, file, text: after }, [permissionProblems])
    const choice = await choiceAbout(io, problems, former)
    if (choice === "write") return write(editing, after)
    if (choice === "leave") return complain(io, `${file} was left as it was`)
    line = problems.find(({ level }) => level !== "remark")?.line ?? 1
  }
}

export const edit = async (hub: SettingsHub, invocation: CommandInvocation, io: CommandIo): Promise<number> => {
  const source = sourceFlag(invocation) ?? "userSettings"
  // An editor that somebody named may work without a terminal; the usual one cannot.
  if (!io.stdinIsTerminal && !io.env["VISUAL"] && !io.env["EDITOR"]) {
    return complain(io, "there is no terminal to edit on. Fix: use nacre config set, or set EDITOR")
  }
  const before = hub.textOf(source)
  if (Result.isFailure(before)) return complain(io, before.failure)
  const { file, text } = before.success
  const directory = mkdtempSync(join(tmpdir(), "nacre-"))
  const copy = join(directory, basename(file))
  try {
    writeFileSync(copy, text === "" ? EMPTY_FILE : text, { mode: 0o600 })
    return await editUntilSettled({ hub, io, source, file, copy, before: text })
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}
