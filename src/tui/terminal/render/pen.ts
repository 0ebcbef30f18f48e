import { DEFAULT_STYLE, type Style } from "../../screen/style/style.ts"
import type { Erase, Put, Scroll } from "./op.ts"
import type { Capabilities } from "./capabilities.ts"
import { moveTo, type Spot } from "./move.ts"
import { CSI, ERASE_TO_END, LINK_CLOSE, osc, REGION_RESET } from "./sequence.ts"
import { groundStyle, type Sgr } from "./sgr.ts"

/**
 * The terminal's cursor as far as it is known: place, style and open link. It begins nowhere, so that the first move is
 * absolute, and gets lost again wherever terminals differ.
 */
export interface Pen {
  readonly move: (to: Spot) => string
  readonly put: (run: Put) => string
  readonly erase: (erase: Erase) => string
  readonly scroll: (scroll: Scroll) => string
  /** Default style and no link, as every frame must end. */
  readonly settle: () => string
}

const HASH_SEED = 0x811c9dc5
const HASH_PRIME = 0x01000193

/** One id for every piece of a link, so that the terminal lights up all its rows together. */
const linkId = (target: string): string => {
  let hash = HASH_SEED
  for (let at = 0; at < target.length; at++) hash = Math.imul(hash ^ target.charCodeAt(at), HASH_PRIME)
  return (hash >>> 0).toString(36)
}

const openLink = (target: string): string => (target === "" ? LINK_CLOSE : osc(`8;id=${linkId(target)};${target}`))

export const makePen = (sgr: Sgr, caps: Capabilities): Pen => {
  let known = false
  let x = 0
  let y = 0
  let style: Style = DEFAULT_STYLE
  let link = ""

  const switchTo = (nextStyle: Style, nextLink: string): string => {
    let out = ""
    if (caps.hyperlinks && nextLink !== link) {
      out = openLink(nextLink)
      link = nextLink
    }
    if (nextStyle !== style) {
      out += sgr.transition(style, nextStyle)
      style = nextStyle
    }
    return out
  }

  const move = (to: Spot): string => {
    const out = moveTo(known ? { x, y } : undefined, to)
    known = true
    x = to.x
    y = to.y
    return out
  }

  const put = (run: Put): string => {
    const out = switchTo(run.style, run.link)
    if (run.uncertain) {
      // A terminal that takes fewer columns would leave what stood there.
      const blanks = " ".repeat(run.columns) + moveTo(undefined, { x, y })
      known = false
      return out + blanks + run.text
    }
    known = !run.edge
    x += run.columns
    return out + run.text
  }

  const scroll = ({ top, bottom, count }: Scroll): string => {
    const out = switchTo(DEFAULT_STYLE, "")
    known = false
    const rows = Math.abs(count) === 1 ? "" : Math.abs(count)
    return `${out}${CSI}${top + 1};${bottom + 1}r${CSI}${rows}${count > 0 ? "S" : "T"}${REGION_RESET}`
  }

  return {
    move,
    put,
    erase: ({ background }) => switchTo(groundStyle(background), "") + ERASE_TO_END,
    scroll,
    settle: () => switchTo(DEFAULT_STYLE, "")
  }
}
