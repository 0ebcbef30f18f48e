import { type HereStart, type Scanner, scanExpansion, stop } from "./scan-word.ts"

/** Here-documents in the second reading: plain delimiters, bodies up to the line that is the delimiter. */
const HERE_DELIMITER = /^(?:'([^'\n]+)'|"([^"\\$`\n]+)"|\\?([\w.-]+))$/

const readHereDocument = (scanner: Scanner, { delimiter, isQuoted, stripsTabs }: HereStart): void => {
  const { text } = scanner
  const start = scanner.at
  while (scanner.at < scanner.limit) {
    const lineEnd = text.indexOf("\n", scanner.at)
    const end = lineEnd < 0 || lineEnd > scanner.limit ? scanner.limit : lineEnd
    const line = text.slice(scanner.at, end)
    const bodyEnd = scanner.at
    scanner.at = end
    if ((stripsTabs ? line.replace(/^\t+/, "") : line) === delimiter) {
      scanner.marks.push({ kind: "body", start, end: bodyEnd })
      if (isQuoted) scanner.verbatim.push({ kind: "body", start, end: bodyEnd })
      else readBody(scanner, start, bodyEnd)
      return
    }
    if (!isQuoted && line.endsWith("\\")) stop(scanner, "continued line in a here-document", end)
    if (end < scanner.limit) scanner.at = end + 1
  }
  stop(scanner, "here-document without end", start)
}

/** A body with a bare delimiter is expanded like text in double quotes; what runs in it must be read too. */
const readBody = (scanner: Scanner, start: number, end: number): void => {
  const { at, limit } = scanner
  scanner.at = start
  scanner.limit = end
  while (scanner.at < scanner.limit) {
    const character = scanner.text.charAt(scanner.at)
    if (character === "\\") scanner.at += 2
    else if (character === "$" || character === "`") scanExpansion(scanner, true)
    else scanner.at += 1
  }
  if (scanner.stopped === undefined) {
    scanner.at = at
    scanner.limit = limit
  }
}

/** A line end, with the bodies of the here-documents that began on the line. */
export const readNewline = (scanner: Scanner, pendingBefore: number): void => {
  scanner.at += 1
  if (pendingBefore > 0 && scanner.pending.length > 0) stop(scanner, "here-document around a substitution", scanner.at)
  for (const here of scanner.pending.splice(0)) {
    readHereDocument(scanner, here)
    // The line end behind the delimiter belongs to the document.
    if (scanner.at < scanner.limit) scanner.at += 1
  }
}

/** The delimiter of a here-document. */
export const readHereStart = (scanner: Scanner, start: number, end: number, stripsTabs: boolean): void => {
  const match = HERE_DELIMITER.exec(scanner.text.slice(start, end))
  const delimiter = match?.[1] ?? match?.[2] ?? match?.[3]
  if (delimiter === undefined) stop(scanner, "delimiter of a here-document", start)
  else scanner.pending.push({ delimiter, isQuoted: /['"\\]/.test(scanner.text.slice(start, end)), stripsTabs })
}
