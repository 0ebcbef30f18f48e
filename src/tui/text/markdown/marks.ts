/** The marks that begin blocks, as patterns over the rest of a line behind its frames. */

export const ATX = /^ {0,3}(#{1,6})(?:[ \t]+|$)/
export const ATX_CLOSE = /(?:^|[ \t]+)#+[ \t]*$/
export const FENCE = /^( {0,3})(`{3,}(?=[^`]*$)|~{3,})(.*)$/
export const RULE = /^ {0,3}(?:(?:\*[ \t]*){3,}|(?:-[ \t]*){3,}|(?:_[ \t]*){3,})$/
export const SETEXT = /^ {0,3}(=+|-+)[ \t]*$/
export const QUOTE = /^ {0,3}>[ \t]?/
export const ITEM = /^( {0,3})([-*+]|\d{1,9}[.)])(?=[ \t]|$)/
export const TASK = /^\[([ xX])\](?=[ \t])/
export const DEFINITION =
  /^ {0,3}\[(?!\^)((?:[^[\]\\]|\\.)+)\]:[ \t]*<?([^\s<>]+)>?(?:[ \t]+(?:"[^"]*"|'[^']*'|\([^()]*\)))?[ \t]*$/
export const TABLE_RULE = /^ {0,3}\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*$/
export const BLANK = /^[ \t]*$/

const HTML_BLOCK =
  /^ {0,3}<\/?(?:address|article|aside|blockquote|body|center|details|dialog|dd|div|dl|dt|fieldset|figure|figcaption|footer|form|frame|h[1-6]|head|header|hr|html|iframe|legend|li|link|main|menu|nav|ol|option|p|param|section|summary|table|tbody|td|tfoot|th|thead|title|tr|ul)(?:[\s/>]|$)/i

/** How an HTML block ends, or undefined if the line begins none. A blank line ends most. */
export const htmlEnd = (rest: string): RegExp | undefined => {
  if (!/^ {0,3}</.test(rest)) return undefined
  const raw = /^ {0,3}<(script|pre|style|textarea)(?:[\s>]|$)/i.exec(rest)
  if (raw?.[1] !== undefined) return new RegExp(`</${raw[1]}>`, "i")
  if (/^ {0,3}<!--/.test(rest)) return /-->/
  if (/^ {0,3}<\?/.test(rest)) return /\?>/
  return HTML_BLOCK.test(rest) ? BLANK : undefined
}

/** Cells of a table line: places between bars that no backslash guards. */
export const cellsOf = (text: string): ReadonlyArray<{ readonly from: number; readonly to: number }> => {
  const borders: Array<number> = []
  for (let at = 0; at < text.length; at++) {
    if (text[at] === "\\") at++
    else if (text[at] === "|") borders.push(at)
  }
  const lead = text.search(/\S/)
  const tail = text.trimEnd().length
  const edges = [
    ...(borders[0] === lead && lead >= 0 ? [] : [-1]),
    ...borders,
    ...(borders.length > 1 && borders.at(-1) === tail - 1 ? [] : [text.length])
  ]
  return edges.slice(1).map((edge, index) => trimmed(text, (edges[index] ?? -1) + 1, edge))
}

const trimmed = (text: string, from: number, to: number): { readonly from: number; readonly to: number } => {
  let start = from
  let end = Math.max(from, to)
  while (start < end && (text[start] === " " || text[start] === "\t")) start++
  while (end > start && (text[end - 1] === " " || text[end - 1] === "\t")) end--
  return { from: start, to: end }
}
