/** What each line of a text of Markdown is: words, code of a block, or a comment that stands alone. */
export interface MarkdownLine {
  readonly text: string
  readonly kind: "words" | "code" | "comment"
}

const FENCE = /^ {0,3}(`{3,}(?=[^`]*$)|~{3,})/
const LIST = /^\s*(?:[-*+]|\d{1,9}[.)])(?:\s|$)/
const INDENTED = /^(?: {4}| {0,3}\t)/
const BLANK = /^\s*$/

/** For each line the first one from it on that ends a comment. */
const commentEnds = (lines: ReadonlyArray<string>): ReadonlyArray<number | undefined> => {
  const ends: Array<number | undefined> = []
  let next: number | undefined
  for (let at = lines.length - 1; at >= 0; at--) {
    if (lines[at]?.includes("-->") === true) next = at
    ends[at] = next
  }
  return ends
}

/** What is left of a line that begins with comments; undefined for one that begins with something else. */
const behindComments = (line: string): string | undefined => {
  let rest = line.trimStart()
  if (!rest.startsWith("<!--")) return undefined
  while (rest.startsWith("<!--")) {
    const end = rest.indexOf("-->", 4)
    if (end < 0) break
    rest = rest.slice(end + 3).trimStart()
  }
  return rest
}

const closes = (line: string, fence: string): boolean => {
  const mark = line.trim()
  return mark.length >= fence.length && mark === fence.charAt(0).repeat(mark.length) && /^ {0,3}\S/.test(line)
}

/** Reads line by line, with what the lines before have opened. */
class LineReader {
  readonly found: Array<MarkdownLine> = []
  private readonly ends: ReadonlyArray<number | undefined>
  private fence: string | undefined
  private inList = false
  private mayIndent = true

  constructor(private readonly lines: ReadonlyArray<string>) {
    this.ends = commentEnds(lines)
  }

  private push(text: string, kind: MarkdownLine["kind"]): void {
    this.found.push({ text, kind })
  }

  /** Reads what begins at a line and answers where it ends. */
  read(at: number): number {
    const line = this.lines[at] ?? ""
    if (this.fence !== undefined) {
      this.push(line, "code")
      if (closes(line, this.fence)) this.fence = undefined
      return at + 1
    }
    this.fence = FENCE.exec(line)?.[1]
    const isIndented = this.mayIndent && !this.inList && INDENTED.test(line) && !BLANK.test(line)
    if (this.fence !== undefined || isIndented) {
      this.push(line, "code")
      return at + 1
    }
    return this.comment(at, line) ?? this.words(at, line)
  }

  private words(at: number, line: string): number {
    const isBlank = BLANK.test(line)
    if (LIST.test(line)) this.inList = true
    else if (!isBlank && /^\S/.test(line) && this.mayIndent) this.inList = false
    this.mayIndent = isBlank
    this.push(line, "words")
    return at + 1
  }

  private comment(at: number, line: string): number | undefined {
    const rest = behindComments(line)
    if (rest === undefined || (rest !== "" && !rest.startsWith("<!--"))) return undefined
    if (rest === "") {
      this.push(line, "comment")
      return at + 1
    }
    const end = this.ends[at + 1]
    if (end === undefined) return undefined
    for (const each of this.lines.slice(at, end)) this.push(each, "comment")
    const last = this.lines[end] ?? ""
    const behind = last.slice(last.indexOf("-->") + 3)
    this.push(BLANK.test(behind) ? last : behind, BLANK.test(behind) ? "comment" : "words")
    return end + 1
  }
}

/** Every line once, in order; of the line on which a comment ends, what follows it. */
export const markdownLines = (text: string): ReadonlyArray<MarkdownLine> => {
  const lines = text.split(/\r?\n/)
  const reader = new LineReader(lines)
  for (let at = 0; at < lines.length;) at = reader.read(at)
  return reader.found
}

/** The text without comments that stand alone. */
export const withoutComments = (text: string): string =>
  text.includes("<!--")
    ? markdownLines(text)
        .filter(({ kind }) => kind !== "comment")
        .map((line) => line.text)
        .join("\n")
    : text
