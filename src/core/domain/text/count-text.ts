const scaled = (value: number, unit: string): string => {
  const text = value < 100 ? value.toFixed(1) : String(Math.round(value))
  return `${text.replace(/\.0$/, "")}${unit}`
}

/** A number of tokens or characters, short and never more exact than it is worth: `340`, `12.3k`, `1.2M`. */
export const countText = (count: number): string => {
  if (count < 1_000) return String(count)
  return count < 999_950 ? scaled(count / 1_000, "k") : scaled(count / 1_000_000, "M")
}
