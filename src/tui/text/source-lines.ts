/** The lines of a text with their places. A carriage return before the line feed belongs to the break. */
export interface SourceLine {
  readonly text: string
  readonly start: number
  /** Behind the text. */
  readonly stop: number
  /** Behind the line break. */
  readonly end: number
}

export const lineAt = (text: string, start: number): SourceLine => {
  const feed = text.indexOf("\n", start)
  const end = feed < 0 ? text.length : feed + 1
  const stop = feed < 0 ? text.length : feed > start && text[feed - 1] === "\r" ? feed - 1 : feed
  return { text: text.slice(start, stop), start, stop, end }
}

/** Every line, the empty one behind a last line feed left out; an empty text has one. */
export function* sourceLines(text: string): Generator<SourceLine> {
  let start = 0
  do {
    const line = lineAt(text, start)
    yield line
    start = line.end
  } while (start < text.length)
}
