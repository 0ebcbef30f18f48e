/** The configuration of a repository, read as data: no git runs, because what stands there may run programs. */
export interface ConfigEntry {
  /** Section, subsection and name with dots between them; section and name in lower case. */
  readonly key: string
  readonly value: string
}

export interface ConfigText {
  readonly entries: ReadonlyArray<ConfigEntry>
  /** Lines that are not configuration: git would refuse the file, and so its meaning is not known. */
  readonly isSound: boolean
}

const SECTION = /^\[\s*([A-Za-z0-9.-]+)(?:\s+"((?:[^"\\]|\\.)*)")?\s*\]\s*(.*)$/
const NAME = /^([A-Za-z][A-Za-z0-9-]*)\s*(?:=\s*(.*))?$/s

const unescaped = (text: string): string => text.replaceAll(/\\(.)/g, "$1")

/** A backslash at the end joins the next line; inside quotes too. */
const joinedLines = (text: string): ReadonlyArray<string> =>
  text
    .replaceAll("\r\n", "\n")
    .replaceAll(/(?<!\\)((?:\\\\)*)\\\n/g, "$1")
    .split("\n")

/** The value without comment and quotes. */
const valueOf = (raw: string): string => {
  let value = ""
  let isQuoted = false
  for (let at = 0; at < raw.length; at++) {
    const character = raw.charAt(at)
    if (character === "\\") {
      at += 1
      value += { n: "\n", t: "\t", b: "\b" }[raw.charAt(at)] ?? raw.charAt(at)
    } else if (character === '"') isQuoted = !isQuoted
    else if (!isQuoted && (character === "#" || character === ";")) break
    else value += character
  }
  return value.trim()
}

export const readGitConfig = (text: string): ConfigText => {
  const entries: Array<ConfigEntry> = []
  let section: string | undefined
  let isSound = true
  for (const line of joinedLines(text)) {
    let rest = line.trim()
    const opened = SECTION.exec(rest)
    if (opened !== null) {
      const [, name = "", sub, after = ""] = opened
      section = sub === undefined ? name.toLowerCase() : `${name.toLowerCase()}.${unescaped(sub)}`
      rest = after.trim()
    }
    if (rest === "" || rest.startsWith("#") || rest.startsWith(";")) continue
    const named = NAME.exec(rest)
    if (named === null || section === undefined) {
      isSound = false
      continue
    }
    entries.push({ key: `${section}.${(named[1] ?? "").toLowerCase()}`, value: valueOf(named[2] ?? "true") })
  }
  return { entries, isSound }
}
