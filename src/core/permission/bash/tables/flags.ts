/**
 * A small language for lists of flags, so that the tables read like the manual pages they come from:
 * `-n` has no argument, `-n:k` has one (attached, after `=` or as the next word), `--color[w]` may have one attached.
 * Kinds of arguments: k number, w name, t any text, 2 two words of text, f a name and a path that is read, r path that is
 * read, o path that is written, x code.
 * A `!` at the end marks a flag that is known, so that its argument is found, but not harmless.
 */
export type ArgumentKind = "k" | "w" | "t" | "2" | "f" | "r" | "o" | "x"

export interface Flag {
  readonly argument: "none" | "needed" | "attached"
  readonly kind: ArgumentKind
  readonly safe: boolean
}

export type FlagTable = ReadonlyMap<string, Flag>

const TOKEN = /^(?<name>--?[^:[\]!]+)(?::(?<needed>[kwt2frox])|\[(?<attached>[kwt2frox])\])?(?<unsafe>!)?$/

const flagOf = (token: string): readonly [string, Flag] => {
  const { name = token, needed, attached, unsafe } = TOKEN.exec(token)?.groups ?? {}
  const argument = needed !== undefined ? "needed" : attached !== undefined ? "attached" : "none"
  const kind = (needed ?? attached ?? "t") as ArgumentKind
  return [name, { argument, kind, safe: unsafe === undefined }]
}

export const flagTable = (list: string): FlagTable =>
  new Map(
    list
      .split(/\s+/)
      .filter((token) => token !== "")
      .map(flagOf)
  )

const NUMBER = /^[+-]?\d+(?:\.\d+)?[a-zA-Z]{0,3}$/
const NAME = /^[\w,.:+%@=-]+$/

/** Whether the text is what the flag expects; paths and code are judged elsewhere. */
export const fits = (kind: ArgumentKind, text: string): boolean =>
  kind === "k" ? NUMBER.test(text) : kind === "w" ? NAME.test(text) : true
