/** Regular expressions in ripgrep's syntax for JavaScript's engine, as far as the two can be matched. */
const POSIX_CLASSES: Readonly<Record<string, string>> = {
  alnum: "0-9A-Za-z",
  alpha: "A-Za-z",
  blank: "\\t ",
  cntrl: "\\x00-\\x1f\\x7f",
  digit: "0-9",
  graph: "!-~",
  lower: "a-z",
  print: " -~",
  punct: "!-\\/:-@\\[-`{-~",
  space: "\\t\\n\\v\\f\\r ",
  upper: "A-Z",
  word: "0-9A-Za-z_",
  xdigit: "0-9A-Fa-f"
}

const LEADING_FLAGS = /^\(\?([imsu]+)\)/

const translated = (pattern: string): string =>
  pattern
    .replaceAll("(?P<", "(?<")
    .replaceAll("\\A", "(?<![\\s\\S])")
    .replaceAll("\\z", "(?![\\s\\S])")
    .replace(/\[:(\w+):\]/g, (whole, name: string) => POSIX_CLASSES[name] ?? whole)

export interface PatternOptions {
  readonly ignoreCase: boolean
  readonly multiline: boolean
}

/** Throws a SyntaxError when neither reading of the pattern is valid. */
export const compilePattern = (pattern: string, options: PatternOptions): RegExp => {
  const inline = LEADING_FLAGS.exec(pattern)?.[1] ?? ""
  const ignoreCase = options.ignoreCase || inline.includes("i")
  const source = translated(pattern.replace(LEADING_FLAGS, ""))
  // Without line ends in the text, the dot means what ripgrep's means and `$` does not stop before a carriage return.
  const flags = ["g", "s", ...(options.multiline ? ["m"] : []), ...(ignoreCase ? ["i"] : [])]
  try {
    return new RegExp(source, [...flags, "u"].join(""))
  } catch {
    // Without the Unicode mode JavaScript accepts needless escapes, as ripgrep does.
    return new RegExp(source, flags.join(""))
  }
}

/** Whether a match could contain a line end; decides what a count over lines counts. */
export const canSpanLines = (pattern: string): boolean => /\\[nsWDrvf]|\[\^|\.|\[\[:(?:space|cntrl):/.test(pattern)
