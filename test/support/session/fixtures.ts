import { readdirSync, readFileSync } from "node:fs"

/** Transcripts in the shape that Claude Code writes; the content is invented. */
const ROOT = new URL("../../fixtures/transcripts/", import.meta.url)

export const fixtureNames: ReadonlyArray<string> = readdirSync(ROOT).map((name) => name.replace(/\.jsonl$/, ""))

export const fixtureText = (name: string): string => readFileSync(new URL(`${name}.jsonl`, ROOT), "utf8")

const parsed = (line: string): ReadonlyArray<unknown> => {
  try {
    return [JSON.parse(line)]
  } catch {
    return []
  }
}

export const fixtureLines = (name: string): ReadonlyArray<unknown> => fixtureText(name).split("\n").flatMap(parsed)
