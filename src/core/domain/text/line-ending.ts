/** Line ends. All that is shown and compared uses LF; what a file uses is found out and given back on writing. */
export type LineEnding = "\n" | "\r\n"

const LF = 0x0a
const CR = 0x0d

/** The more frequent ending of a body; LF on a tie and when there is none. */
export const dominantEnding = (body: Uint8Array): LineEnding => {
  let crlf = 0
  let lf = 0
  for (let at = body.indexOf(LF); at !== -1; at = body.indexOf(LF, at + 1)) {
    if (at > 0 && body[at - 1] === CR) crlf += 1
    else lf += 1
  }
  return crlf > lf ? "\r\n" : "\n"
}

export const toLf = (text: string): string => (text.includes("\r\n") ? text.replaceAll("\r\n", "\n") : text)

export const withEnding = (text: string, ending: LineEnding): string =>
  ending === "\n" ? toLf(text) : toLf(text).replaceAll("\n", "\r\n")

/** Lines of a text; a final newline does not begin another line. */
export const linesOf = (text: string): ReadonlyArray<string> => {
  if (text === "") return []
  const lines = text.split("\n")
  if (lines.at(-1) === "") lines.pop()
  return lines
}

/** Number of lines of a body, counted like `linesOf`. */
export const countLines = (body: Uint8Array): number => {
  let count = 0
  for (let at = body.indexOf(LF); at !== -1; at = body.indexOf(LF, at + 1)) count += 1
  return body.length > 0 && body.at(-1) !== LF ? count + 1 : count
}
