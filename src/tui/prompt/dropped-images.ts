/** Files that were dropped on the terminal, which types their paths as a shell would want them. */

const IMAGE = /\.(?:png|jpe?g|gif|webp)$/i
/** A word in quotes, or one whose blanks are escaped. */
const WORD = /'([^']*)'|"([^"]*)"|((?:\\.|[^\s\\'"])+)/y
const BLANKS = /\s*/y

const wordsOf = (text: string): ReadonlyArray<string> | undefined => {
  const words: Array<string> = []
  let at = 0
  while (at < text.length) {
    WORD.lastIndex = at
    const found = WORD.exec(text)
    if (found === null) return undefined
    words.push(found[1] ?? found[2] ?? (found[3] ?? "").replaceAll(/\\(.)/g, "$1"))
    BLANKS.lastIndex = at + found[0].length
    at += found[0].length + (BLANKS.exec(text)?.[0].length ?? 0)
  }
  return words
}

const pathOf = (word: string): string | undefined => {
  if (word.startsWith("/") || word.startsWith("~/") || /^[A-Za-z]:[\\/]/.test(word)) return word
  if (!word.startsWith("file:///")) return undefined
  try {
    return decodeURIComponent(word.slice("file://".length))
  } catch {
    return undefined
  }
}

/** The paths, where the whole text is nothing but whole paths of images; undefined otherwise. */
export const droppedImages = (pasted: string): ReadonlyArray<string> | undefined => {
  const text = pasted.trim()
  if (text === "" || text.includes("\n") || !IMAGE.test(text.replace(/['"]$/, ""))) return undefined
  const paths = wordsOf(text)?.map(pathOf)
  return paths?.every((path): path is string => path !== undefined && IMAGE.test(path)) === true ? paths : undefined
}
