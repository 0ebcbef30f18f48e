/** Interned targets of hyperlinks. Only what may be sent to a terminal gets an id; anything else is plain text. */
export interface LinkPool {
  readonly size: () => number
  /** Zero when the target must not be a link. */
  readonly intern: (target: string) => number
  readonly targetOf: (link: number) => string
}

export const NO_LINK = 0
const MOST_LINKS = 0xffff
/** Terminals cut or refuse longer targets. */
const MOST_TARGET_LENGTH = 2_048

const WEB = /^(?:https?:\/\/[^/]|mailto:.)/i
/** Without a host: a host in a file target would be asked over the network. */
const LOCAL_FILE = /^file:\/\/(?:localhost)?\/(?![/\\])/i
const LONE_SURROGATE = /\p{Cs}/u
const NOT_PRINTABLE_ASCII = /[^\x21-\x7E]/gu

/** The target as it may stand in a sequence, or undefined. The caller knows whether a file is in the workspace. */
export const linkTarget = (target: string): string | undefined => {
  if (LONE_SURROGATE.test(target) || !(WEB.test(target) || LOCAL_FILE.test(target))) return undefined
  const encoded = target.replaceAll(NOT_PRINTABLE_ASCII, (character) => encodeURIComponent(character))
  return encoded.length > MOST_TARGET_LENGTH ? undefined : encoded
}

export const makeLinkPool = (): LinkPool => {
  const targets = [""]
  const byTarget = new Map<string, number>([["", NO_LINK]])

  const add = (target: string): number => {
    const encoded = linkTarget(target)
    const link = encoded === undefined || targets.length >= MOST_LINKS ? NO_LINK : targets.push(encoded) - 1
    byTarget.set(target, link)
    return link
  }

  return {
    size: () => byTarget.size,
    intern: (target) => byTarget.get(target) ?? add(target),
    targetOf: (link) => targets[link] ?? ""
  }
}
