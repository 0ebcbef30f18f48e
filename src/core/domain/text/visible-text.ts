const clipped = (text: string): string => (text.length <= 200 ? text : `${text.slice(0, 197)}...`)

/** Commands and paths come from the model: controls and invisible characters are shown as such. */
export const visible = (text: string): string => {
  const escaped = (character: string) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`
  return clipped(text.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, escaped))
}
