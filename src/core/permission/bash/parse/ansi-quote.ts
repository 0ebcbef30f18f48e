const ANSI_CODE = /\\(?:x([0-9a-fA-F]{1,2})|u([0-9a-fA-F]{1,4})|U([0-9a-fA-F]{1,8})|([0-7]{1,3})|c(.))/y
const ANSI_LETTERS: Readonly<Record<string, string>> = {
  n: "\n",
  t: "\t",
  r: "\r",
  a: "\u0007",
  b: "\b",
  e: "\u001b",
  E: "\u001b",
  f: "\f",
  v: "\v"
}

/** The value of `$'…'` from behind its opening quote, and where it ends. */
export const decodeAnsiQuote = (
  text: string,
  start: number,
  limit: number
): { readonly value: string; readonly end: number } => {
  let value = ""
  let at = start
  while (at < limit && text[at] !== "'") {
    if (text[at] !== "\\") value += text.charAt(at++)
    else {
      ANSI_CODE.lastIndex = at
      const [all, hex, short, long, octal, control] = ANSI_CODE.exec(text) ?? []
      if (all === undefined) {
        value += ANSI_LETTERS[text.charAt(at + 1)] ?? text.charAt(at + 1)
        at += 2
      } else {
        const digits = Number.parseInt(octal ?? hex ?? short ?? long ?? "0", octal === undefined ? 16 : 8)
        const point = control === undefined ? digits : control.charCodeAt(0) % 32
        value += point <= 0x10ffff ? String.fromCodePoint(point) : ""
        at += all.length
      }
    }
  }
  return { value, end: Math.min(at + 1, limit) }
}
