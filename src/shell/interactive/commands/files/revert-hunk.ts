import { existsSync, mkdirSync, readFileSync, rmSync, statSync } from "node:fs"
import { dirname, resolve } from "node:path"
import { AS_MASKED, linkTarget, replaceFile } from "../../../../adapters/system/replace-file.ts"
import {
  bodyOf,
  bodyToText,
  detectEncoding,
  type Encoding,
  fileOf,
  textToBody
} from "../../../../core/domain/text/encoding.ts"
import { dominantEnding, type LineEnding, toLf, withEnding } from "../../../../core/domain/text/line-ending.ts"
import type { CmdOf } from "../../../../tui/model/cmd.ts"
import { turnedHunk } from "../../../../tui/text/diff/turned-hunk.ts"
import type { PerformContext } from "../context/command-context.ts"

/** Turns one hunk of a file back, or forth again, if the file still holds it. Encoding, line ends and mode stay. */

const MOST_BYTES = 16 * 1024 * 1024

interface TextFile {
  readonly text: string
  readonly encoding: Encoding
  readonly ending: LineEnding
}

const NO_FILE: TextFile = { text: "", encoding: "utf8", ending: "\n" }

const readText = (path: string): TextFile => {
  const stats = statSync(path)
  if (!stats.isFile()) throw new Error(`${path} is not a regular file`)
  if (stats.size > MOST_BYTES) throw new Error(`${path} is too large. Fix: change it in your editor`)
  const bytes = readFileSync(path)
  const encoding = detectEncoding(bytes)
  const body = encoding === "binary" ? undefined : bodyOf(bytes, encoding)
  if (encoding === "binary" || body === undefined) throw new Error(`${path} is not text`)
  const [raw, ending] = [bodyToText(body, encoding), dominantEnding(body)]
  const text = toLf(raw)
  if (withEnding(text, ending) !== raw) throw new Error(`${path} has line ends of two kinds. Fix: change it in your editor`)
  return { text, encoding, ending }
}

const written = (text: string, { encoding, ending }: TextFile): Uint8Array => {
  const body = textToBody(withEnding(text, ending), encoding)
  if (body === undefined) throw new Error("the text cannot be written in the encoding of the file")
  return fileOf(body, encoding)
}

/** A file that the change made goes with its last line, and one that it took away comes with its first. */
const isGone = ({ deed: { change }, by }: CmdOf<"TurnHunk">, text: string): boolean =>
  text === "" && (by === "undo" ? change === "deleted" : change === "created")

export const turnHunk = ({ plan, sessions, tell }: PerformContext, cmd: CmdOf<"TurnHunk">): void => {
  const { session, deed, by } = cmd
  const path = linkTarget(resolve(sessions.get(session)?.facts.cwd ?? plan.cwd, deed.path))
  const file = existsSync(path) ? readText(path) : NO_FILE
  const text = turnedHunk(file.text, deed.hunk, by === "undo" ? "new" : "old")
  if (text === undefined)
    throw new Error(`${deed.path} was changed since; nothing was written. Fix: change it in your editor (gf)`)
  if (isGone(cmd, text)) rmSync(path)
  else {
    mkdirSync(dirname(path), { recursive: true })
    replaceFile({ path, content: written(text, file), newMode: AS_MASKED })
  }
  tell({ _tag: "HunkTurned", session, deed, by })
}
