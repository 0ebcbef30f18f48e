/** Reads what the encoder wrote and names everything that the table of allowed sequences does not hold. */

const ALLOWED_CSI: ReadonlyArray<RegExp> = [
  /^\?(?:1049|25|2026|2004|1004|2031|2027)[hl]$/,
  /^\?(?:1000|1002|1003|1006)(?:;(?:1000|1002|1003|1006))*[hl]$/,
  /^(?:\d+(?:;\d+)?)?H$/,
  /^\d*[ABCDG]$/,
  /^[0-6] q$/,
  /^K$/,
  /^(?:\d+;\d+)?r$/,
  /^\d*[ST]$/,
  /^[\d;:]*m$/,
  /^>1u$/,
  /^<u$/,
  /^>4;[02]m$/,
  /^2[23];0t$/
]

const TEXT = String.raw`[^\p{Cc}\p{Cs}\u2028\u2029]*`

const ALLOWED_OSC: ReadonlyArray<RegExp> = [
  /^8;;$/,
  /^8;id=[a-z0-9]+;(?:https?|mailto|file):[\x21-\x7E]+$/i,
  new RegExp(`^2;${TEXT}$`, "u"),
  /^9;4;[0-4](?:;\d{1,3})?$/,
  new RegExp(`^9;(?!\\d+;)${TEXT}$`, "u"),
  new RegExp(`^99;i=nacre:d=[01]:p=(?:title|body);${TEXT}$`, "u"),
  new RegExp(`^777;notify;[^;\\p{Cc}]*;[^;\\p{Cc}]*$`, "u"),
  /^52;c;[A-Za-z0-9+/]*=*$/
]

const TOKEN = new RegExp(
  [
    String.raw`\u001B\[([\x30-\x3F]*[\x20-\x2F]*[\x40-\x7E])`,
    String.raw`\u001B\]([^\u0007\u001B]*)(?:\u0007|\u001B\\)`,
    String.raw`\u001BP((?:[^\u001B]|\u001B(?!\\)|\u001B\u001B)*)\u001B\\`,
    String.raw`[\r\n\b\u0007]`,
    String.raw`[^\p{Cc}\p{Cs}\u2028\u2029]+`
  ].join("|"),
  "uy"
)

const TMUX = "tmux;"

/** What passes through a multiplexer; the chunks of screen are one string outside. */
const unwrapped = (body: string): string =>
  body.startsWith(TMUX) ? body.slice(TMUX.length).replaceAll("\u001B\u001B", "\u001B") : body

const judge = ([whole, csi, osc]: RegExpExecArray): ReadonlyArray<string> => {
  if (csi !== undefined) return ALLOWED_CSI.some((form) => form.test(csi)) ? [] : [whole]
  if (osc !== undefined) return ALLOWED_OSC.some((form) => form.test(osc)) ? [] : [whole]
  return []
}

export const straysIn = (bytes: string): ReadonlyArray<string> => {
  const strays: Array<string> = []
  let inner = ""
  let at = 0
  while (at < bytes.length) {
    TOKEN.lastIndex = at
    const token = TOKEN.exec(bytes)
    if (token === null) return [...strays, bytes.slice(at, at + 20)]
    if (token[3] === undefined) strays.push(...judge(token))
    else inner += unwrapped(token[3])
    at = TOKEN.lastIndex
  }
  return inner === "" ? strays : [...strays, ...straysIn(inner)]
}
