import type { Look } from "../style/row.ts"
import type { Role } from "../style/roles.ts"
import type { Theme } from "../style/theme.ts"
import type { Pools } from "./pools.ts"
import type { StyleId } from "../style/style.ts"

/** The style ids of looks under one theme and one generation of pools. Looks are constants, so identity is the key. */
export interface StyleBook {
  readonly idOf: (look: Look) => StyleId
  /** The same on a ground, unless the look has a background of its own. */
  readonly idOn: (look: Look, ground: Role) => StyleId
  /** Lays an override over a style that is drawn already. */
  readonly overlaid: (override: Override) => (style: StyleId) => StyleId
}

export interface Override {
  readonly background?: Role
  readonly inverse?: true
  readonly bold?: true
  readonly underline?: true
}

const makeStyleBook = ({ styles }: Pools, theme: Theme): StyleBook => {
  const plain = new WeakMap<Look, StyleId>()
  const grounded = new Map<Role, WeakMap<Look, StyleId>>()
  const backgroundOf = (role: Role) => theme.styleOf({ role: "text", background: role }).background

  const idOf = (look: Look): StyleId => {
    const known = plain.get(look)
    if (known !== undefined) return known
    const id = styles.intern(theme.styleOf(look))
    plain.set(look, id)
    return id
  }

  const onGround = (look: Look, ground: Role): StyleId => {
    const id = idOf(look)
    const style = styles.styleOf(id)
    const background = backgroundOf(ground)
    return style.background !== undefined || background === undefined ? id : styles.intern({ ...style, background })
  }

  const idOn = (look: Look, ground: Role): StyleId => {
    const byLook = grounded.get(ground) ?? new WeakMap<Look, StyleId>()
    grounded.set(ground, byLook)
    const id = byLook.get(look) ?? onGround(look, ground)
    byLook.set(look, id)
    return id
  }

  const overlaid = ({ background: role, inverse, bold, underline }: Override) => {
    // A theme without grounds shows them by the pen; the rest of what it says about the text is not asked for.
    const {
      foreground: _,
      dim: _dim,
      ...ground
    } = role === undefined ? {} : theme.styleOf({ role: "text", background: role })
    const change = {
      ...ground,
      ...(inverse === undefined ? {} : { inverse }),
      ...(bold === undefined ? {} : { bold }),
      ...(underline === undefined ? {} : { underline: "single" as const })
    }
    const known = new Map<StyleId, StyleId>()
    return (style: StyleId): StyleId => {
      const id = known.get(style) ?? styles.intern({ ...styles.styleOf(style), ...change })
      known.set(style, id)
      return id
    }
  }

  return { idOf, idOn, overlaid }
}

const books = new WeakMap<Pools, WeakMap<Theme, StyleBook>>()

export const styleBook = (pools: Pools, theme: Theme): StyleBook => {
  const byTheme = books.get(pools) ?? new WeakMap<Theme, StyleBook>()
  books.set(pools, byTheme)
  const book = byTheme.get(theme) ?? makeStyleBook(pools, theme)
  byTheme.set(theme, book)
  return book
}
