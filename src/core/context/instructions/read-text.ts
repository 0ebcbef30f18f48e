import { announcedEncoding } from "../../domain/text/encoding.ts"
import { readFrontMatter } from "../../domain/text/front-matter.ts"
import { markdownLines } from "../../domain/text/markdown-lines.ts"
import { importsIn } from "./imports.ts"
import { patternsOf } from "./path-rules.ts"

/** What an instruction file says, from its bytes. */
export interface InstructionText {
  readonly text: string
  readonly isPartial: boolean
  /** As they are written. */
  readonly imports: ReadonlyArray<string>
  /** Of the field `paths`. */
  readonly patterns: ReadonlyArray<string>
  /** What is wrong with the lines before it. */
  readonly problem?: { readonly line: number; readonly why: string }
}

/** Bytes that do not form characters are replaced; undefined for what is not text at all. */
const decode = (bytes: Uint8Array): string | undefined => {
  const encoding = announcedEncoding(bytes)
  if (encoding === "binary") return undefined
  const label = encoding === "utf16le" ? "utf-16le" : encoding === "utf16be" ? "utf-16be" : "utf-8"
  return new TextDecoder(label).decode(bytes)
}

/** Of a text that is already decoded. */
export const readInstructionText = (raw: string): InstructionText => {
  const { fields, body, problem } = readFrontMatter(raw)
  const lines = markdownLines(body)
  const shown = lines.filter(({ kind }) => kind !== "comment")
  const text = shown
    .map((line) => line.text)
    .join("\n")
    .replace(/^(?:[ \t]*\n)+/, "")
    .trimEnd()
  return {
    text,
    isPartial: shown.length < lines.length || body.length < raw.length,
    imports: importsIn(lines),
    patterns: problem === undefined ? patternsOf(fields.get("paths")) : [],
    ...(problem === undefined ? {} : { problem })
  }
}

export const readInstructionBytes = (bytes: Uint8Array): InstructionText | undefined => {
  const text = decode(bytes)
  return text === undefined ? undefined : readInstructionText(text)
}
