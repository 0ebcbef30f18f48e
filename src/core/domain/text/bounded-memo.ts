/** Remembers what was made of a text; a full memory starts over, so that it stays bounded. */
const MOST = 4_096

export const memoizeText = <A>(make: (text: string) => A): ((text: string) => A) => {
  let known = new Map<string, A>()
  return (text) => {
    const found = known.get(text)
    if (found !== undefined) return found
    if (known.size >= MOST) known = new Map()
    const made = make(text)
    known.set(text, made)
    return made
  }
}
