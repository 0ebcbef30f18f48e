/** How much was printed, short; nothing for nothing. */
export const sizeText = (characters: number): string => {
  if (characters === 0) return ""
  return characters < 1_000 ? `${characters} B` : `${(characters / 1_000).toFixed(1)} KB`
}
