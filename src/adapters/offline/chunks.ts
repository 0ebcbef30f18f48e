/** Text in the pieces it streams in. Joining the pieces gives back the text exactly. */
const CHUNK_GRAPHEMES = 12

/** Text in which every character is a cluster of its own; carriage returns are not, they join a following newline. */
const PLAIN = /^[\t\n -~\u00a0-\u00ac\u00ae-\u02ff\u2010-\u2027\u2030-\u205e]*$/

export const graphemes = (text: string): ReadonlyArray<string> =>
  PLAIN.test(text)
    ? text.split("")
    : Array.from(new Intl.Segmenter("en", { granularity: "grapheme" }).segment(text), (part) => part.segment)

const plainChunks = (text: string): ReadonlyArray<string> =>
  Array.from({ length: Math.ceil(text.length / CHUNK_GRAPHEMES) }, (_, index) =>
    text.slice(index * CHUNK_GRAPHEMES, (index + 1) * CHUNK_GRAPHEMES)
  )

/** Pieces of 12 grapheme clusters, so that no chunk ends inside a character. */
export const chunks = (text: string): ReadonlyArray<string> => {
  if (PLAIN.test(text)) return plainChunks(text)
  const clusters = graphemes(text)
  return Array.from({ length: Math.ceil(clusters.length / CHUNK_GRAPHEMES) }, (_, index) =>
    clusters.slice(index * CHUNK_GRAPHEMES, (index + 1) * CHUNK_GRAPHEMES).join("")
  )
}
