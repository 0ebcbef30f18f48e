/** Files with instructions stand one after the other in one text, each behind a line that names it. */
export interface FileText {
  readonly path: string
  /** What the line says in parentheses: whose it is. */
  readonly label: string
  readonly text: string
}

const HEAD = /^Contents of (.+?)(?: \(([^()]*)\))?:$/gm

/** The files that a text shows, and what stands before them. A line about a file that is none of them is only a line. */
export const filesIn = (
  text: string,
  isOne: (path: string) => boolean
): { readonly before: string; readonly files: ReadonlyArray<FileText> } => {
  const heads = [...text.matchAll(HEAD)].filter(({ 1: path = "" }) => isOne(path))
  const files = heads.map(({ 0: { length }, 1: path = "", 2: label = "", index }, place): FileText => {
    const end = heads[place + 1]?.index ?? text.length
    return { path, label, text: text.slice(index + length, end).trim() }
  })
  return { before: text.slice(0, heads[0]?.index ?? text.length), files }
}
