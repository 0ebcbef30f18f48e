/** Files with instructions stand one after the other in one text, each behind a line that names it. */
export interface FileText {
  readonly path: string
  readonly kind: string
  readonly text: string
}

const HEAD = /^Contents of (.+?)(?: \(([^()]*)\))?:$/gm

/** The files that a text shows, and what is not of any file. */
export const filesIn = (text: string): { readonly before: string; readonly files: ReadonlyArray<FileText> } => {
  const heads = [...text.matchAll(HEAD)]
  const files = heads.map(({ 0: { length }, 1: path = "", 2: kind = "", index }, place): FileText => {
    const end = heads[place + 1]?.index ?? text.length
    return { path, kind, text: text.slice(index + length, end).trim() }
  })
  return { before: text.slice(0, heads[0]?.index ?? text.length), files }
}
