/** How the columns of a table share the width. */
const GAP = 3
const LEAST = 6

export type ColumnPlan =
  | { readonly kind: "columns"; readonly widths: ReadonlyArray<number> }
  /** No room for columns: every cell stands on a row of its own, behind its heading. */
  | { readonly kind: "groups" }

/** Gives every column what it needs as long as that is no more than a fair share of what is left. */
const share = (wanted: ReadonlyArray<number>, room: number): ReadonlyArray<number> => {
  const widths = wanted.map((width) => Math.min(width, LEAST))
  const order = wanted.map((_, index) => index).sort((a, b) => (wanted[a] ?? 0) - (wanted[b] ?? 0))
  let left = room
  for (const [place, index] of order.entries()) {
    const fair = Math.floor(left / (order.length - place))
    const width = Math.min(wanted[index] ?? 0, Math.max(widths[index] ?? 0, fair))
    widths[index] = width
    left -= width
  }
  return widths
}

/** Natural widths if they fit, narrower columns if they can hold their least, groups otherwise. */
export const planColumns = (wanted: ReadonlyArray<number>, width: number): ColumnPlan => {
  const room = width - GAP * (wanted.length - 1)
  const sum = wanted.reduce((total, column) => total + column, 0)
  if (sum <= room) return { kind: "columns", widths: wanted }
  const least = wanted.reduce((total, column) => total + Math.min(column, LEAST), 0)
  if (least > room) return { kind: "groups" }
  return { kind: "columns", widths: share(wanted, room) }
}
