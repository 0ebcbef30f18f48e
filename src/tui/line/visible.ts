/** Text from outside as it may be written to a terminal: control characters become visible marks. */
const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g
const INVISIBLE = /[\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]/g

const caret = (character: string): string => {
  const code = character.charCodeAt(0)
  if (code < 0x20) return `^${String.fromCharCode(code + 0x40)}`
  return code === 0x7f ? "^?" : `\\x${code.toString(16).padStart(2, "0")}`
}

export const visible = (text: string): string =>
  text
    .replaceAll("\r\n", "\n")
    .replace(CONTROL, caret)
    .replace(INVISIBLE, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`)
