import type { Env } from "../domain/env.ts"

/** The file in which a handler leaves variables for later commands. It is read as text; nothing in it ever runs. */

export interface EnvFile {
  readonly variables: Readonly<Record<string, string>>
  /** Lines that are not a plain assignment. */
  readonly refused: ReadonlyArray<string>
}

const ASSIGNMENT = /^(?:export\s+)?([A-Za-z_]\w*)=(.*)$/
const PIECE = /'([^']*)'|"((?:\\.|[^"\\`])*)"|((?:\\.|[^'"\\\s`;&|<>()])+)/y
const REFERENCE = /\\(.)|\$\{([A-Za-z_]\w*)\}|\$([A-Za-z_]\w*)|\$/g

/** What references to variables stand for; undefined where something would have to run to know it. */
const expanded = (text: string, known: Env): string | undefined => {
  if (/\$\(/.test(text.replaceAll(/\\./g, ""))) return undefined
  return text.replaceAll(REFERENCE, (whole, escaped?: string, braced?: string, bare?: string) => {
    if (escaped !== undefined) return escaped
    const name = braced ?? bare
    return name === undefined ? whole : (known[name] ?? "")
  })
}

/** One word of a shell, of which nothing may be left over. */
const wordOf = (text: string, known: Env): string | undefined => {
  const trimmed = text.trimEnd()
  let word = ""
  let at = 0
  while (at < trimmed.length) {
    PIECE.lastIndex = at
    const piece = PIECE.exec(trimmed)
    if (piece === null) return undefined
    const [whole, single, double, plain] = piece
    const value = single ?? expanded(double ?? plain ?? "", known)
    if (value === undefined) return undefined
    word += value
    at += whole.length
  }
  return word
}

export const readEnvFile = (text: string, known: Env): EnvFile => {
  const variables: Record<string, string> = {}
  const refused: Array<string> = []
  for (const line of text.split("\n").map((each) => each.trim())) {
    if (line === "" || line.startsWith("#")) continue
    const [, name, value] = ASSIGNMENT.exec(line) ?? []
    const word = value === undefined ? undefined : wordOf(value, { ...known, ...variables })
    if (name === undefined || word === undefined) refused.push(line)
    else variables[name] = word
  }
  return { variables, refused }
}
