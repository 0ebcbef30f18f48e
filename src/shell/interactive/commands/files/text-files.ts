import { constants, writeFileSync } from "node:fs"
import { open } from "node:fs/promises"
import { join, resolve } from "node:path"
import { humanSize } from "../../../../core/domain/text/bytes.ts"
import { announcedEncoding } from "../../../../core/domain/text/encoding.ts"
import { toLf } from "../../../../core/domain/text/line-ending.ts"
import type { CmdOf } from "../../../../tui/model/cmd.ts"
import type { SessionPlan } from "../../../plan/session-plan.ts"
import { messageOf, type PerformContext } from "../context/command-context.ts"

/** Files that the user names on the command line of the interface: `:w FILE`, `:r FILE`, `:e FILE`. */
export const personalPath = ({ cwd, home }: Pick<SessionPlan, "cwd" | "home">, path: string): string =>
  path === "~" || path.startsWith("~/") ? join(home, path.slice(2)) : resolve(cwd, path)

const isTaken = (error: unknown): boolean => error instanceof Error && "code" in error && error.code === "EEXIST"

/** Never over a file that is there. */
export const writeFile = ({ plan, notice }: PerformContext, { path, text }: CmdOf<"WriteFile">): void => {
  const target = personalPath(plan, path)
  try {
    writeFileSync(target, text.endsWith("\n") ? text : `${text}\n`, { flag: "wx", mode: 0o600 })
    notice(`written to ${target}`, "success")
  } catch (error) {
    const why = isTaken(error) ? `${target} exists. Fix: choose another name` : messageOf(error)
    notice(`nothing was written: ${why}`, "error")
  }
}

const MOST_BYTES = 1024 * 1024

/** The text of a file of moderate size; fails with words for a notice. */
export const readText = async (path: string): Promise<string> => {
  // Without waiting: a pipe without a writer would hold us for ever.
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK)
  try {
    const stats = await file.stat()
    if (!stats.isFile()) throw new Error(`${path} is not a regular file`)
    if (stats.size > MOST_BYTES) throw new Error(`${path} is larger than 1 MB. Fix: open it in your editor`)
    const bytes = await file.readFile()
    if (announcedEncoding(bytes) === "binary") throw new Error(`${path} is not text`)
    return toLf(bytes.toString("utf8").replace(/^\uFEFF/, ""))
  } finally {
    await file.close()
  }
}

/** All of a file, or both ends of it and how much lies between. Whatever it holds is shown as text. */
export const readEnds = async (path: string, endBytes: number): Promise<string> => {
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK)
  try {
    const stats = await file.stat()
    if (!stats.isFile()) throw new Error(`${path} is not a regular file`)
    const read = async (length: number, position: number): Promise<string> => {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, position)
      return toLf(buffer.toString("utf8", 0, bytesRead))
    }
    if (stats.size <= 2 * endBytes) return await read(stats.size, 0)
    const between = `[${humanSize(stats.size - 2 * endBytes)} left out; all of it is in ${path}]`
    return [await read(endBytes, 0), between, await read(endBytes, stats.size - endBytes)].join("\n")
  } finally {
    await file.close()
  }
}

export const readIntoPrompt = (context: PerformContext, { session, path }: CmdOf<"ReadIntoPrompt">): void =>
  context.attempt("nothing was inserted", async () => {
    const text = await readText(personalPath(context.plan, path))
    context.tell({ _tag: "InsertText", session, text })
  })
