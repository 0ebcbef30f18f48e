/** How many lines a source has. */

/** How many line breaks follow an offset. */
export const countBreaks = (source: string, from: number): number => {
  let count = 0
  for (let at = source.indexOf("\n", from); at !== -1; at = source.indexOf("\n", at + 1)) count++
  return count
}

export const countLines = (source: string): number => countBreaks(source, 0) + 1

/** Lines of a block. Looking at a source that was put together copies it, so a count that is known is taken. */
export const linesOf = (block: { readonly source: string; readonly lines?: number }): number =>
  block.lines ?? countLines(block.source)
