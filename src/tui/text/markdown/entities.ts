/** Character references, as far as people write them. Unknown names stay as they are. */
const NAMED: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  nbsp: "\u00a0",
  copy: "©",
  reg: "®",
  trade: "™",
  hellip: "…",
  mdash: "—",
  ndash: "–",
  lsquo: "‘",
  rsquo: "’",
  ldquo: "“",
  rdquo: "”",
  laquo: "«",
  raquo: "»",
  bull: "•",
  middot: "·",
  times: "×",
  divide: "÷",
  plusmn: "±",
  deg: "°",
  micro: "µ",
  para: "¶",
  sect: "§",
  euro: "€",
  pound: "£",
  yen: "¥",
  cent: "¢",
  larr: "←",
  rarr: "→",
  uarr: "↑",
  darr: "↓",
  harr: "↔",
  ne: "≠",
  le: "≤",
  ge: "≥",
  infin: "∞",
  check: "✓",
  cross: "✗"
}

export const REFERENCE = /&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|([a-z][a-z0-9]{1,31}));/gi

const LAST_CODE_POINT = 0x10_ffff

export const characterOf = (match: RegExpMatchArray): string | undefined => {
  const [, hex, decimal, name] = match
  if (name !== undefined) return NAMED[name]
  const code = hex === undefined ? Number.parseInt(decimal ?? "0", 10) : Number.parseInt(hex, 16)
  return code === 0 || code > LAST_CODE_POINT ? undefined : String.fromCodePoint(code)
}
