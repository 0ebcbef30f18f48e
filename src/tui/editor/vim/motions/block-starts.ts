/** Lines at which paragraphs and sections begin. */
import type { Lines } from "../../lines.ts"

/** Requests of a text formatter at the start of a line, as vim's `sections` and `paragraphs` have them. */
const SECTION_REQUEST = /^\.(?:SH|NH|H(?: |$)|HU|nh|sh)/
const PARAGRAPH_REQUEST = /^\.(?:IP|LP|PP|QP|P(?: |$)|TP|HP|LI|Pp|Lp|It|pp|lp|ip|bp)/

export const isBlockStart = (text: string): boolean =>
  text === "" || text.startsWith("\f") || SECTION_REQUEST.test(text) || PARAGRAPH_REQUEST.test(text)

export const startsBlock = (lines: Lines, line: number): boolean => isBlockStart(lines.at(line))

export const startsSection = (lines: Lines, line: number, brace: string): boolean => {
  const text = lines.at(line)
  return text.startsWith(brace) || text.startsWith("\f") || SECTION_REQUEST.test(text)
}
