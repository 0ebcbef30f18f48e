/** What the words after /compact ask for. Anything but these single words is what a summary is to care about. */
export type CompactWords =
  | { readonly _tag: "Compact"; readonly focus: string }
  | { readonly _tag: "Show" }
  | { readonly _tag: "Preview" }
  | { readonly _tag: "Undo" }
  | { readonly _tag: "Redo" }
  | { readonly _tag: "Edit" }

const WORDS: Readonly<Record<string, CompactWords>> = {
  show: { _tag: "Show" },
  preview: { _tag: "Preview" },
  undo: { _tag: "Undo" },
  redo: { _tag: "Redo" },
  edit: { _tag: "Edit" }
}

export const readCompactWords = (argument: string): CompactWords => {
  const focus = argument.trim()
  return (Object.hasOwn(WORDS, focus) ? WORDS[focus] : undefined) ?? { _tag: "Compact", focus }
}

/** How many rounds /snip is to take; one if nothing is said. */
export const readRounds = (argument: string): number | undefined => {
  if (argument.trim() === "") return 1
  const rounds = Number(argument.trim())
  return Number.isInteger(rounds) && rounds > 0 ? rounds : undefined
}
