import type { Assignment, CommandPlace, Redirect, SimpleCommand, Word } from "../program.ts"

/** A simple command while it is put together; the finished program shows it as a `SimpleCommand`. */
export interface Draft extends SimpleCommand {
  source: string
  start: number
  end: number
  readonly assignments: Array<Assignment>
  readonly words: Array<Word>
  readonly redirects: Array<Redirect>
  readonly place: { -readonly [K in keyof CommandPlace]: CommandPlace[K] }
}

export const newDraft = (start: number, end: number): Draft => ({
  source: "",
  start,
  end,
  assignments: [],
  words: [],
  redirects: [],
  place: { depth: 0, inSubstitution: false, inPipeline: false, inFunction: false, inBackground: false }
})

/** A piece of the text that says something about the commands inside it. */
export interface Enclosure {
  readonly kind: "group" | "substitution" | "pipeline" | "function" | "background"
  readonly start: number
  readonly end: number
}

/** Tells every command where it stands. Both lists may be in any order. */
export const placeCommands = (commands: ReadonlyArray<Draft>, enclosures: ReadonlyArray<Enclosure>): void => {
  const inOrder = commands.toSorted((one, other) => one.start - other.start)
  const around = enclosures.toSorted((one, other) => one.start - other.start || other.end - one.end)
  const open: Array<Enclosure> = []
  let next = 0
  for (const { start, place } of inOrder) {
    for (let coming = around[next]; coming !== undefined && coming.start <= start; coming = around[++next]) {
      while ((open.at(-1)?.end ?? Infinity) <= coming.start) open.pop()
      open.push(coming)
    }
    while ((open.at(-1)?.end ?? Infinity) <= start) open.pop()
    for (const { kind } of open) {
      if (kind === "group" || kind === "substitution" || kind === "function") place.depth += 1
      if (kind === "substitution") place.inSubstitution = true
      else if (kind === "pipeline") place.inPipeline = true
      else if (kind === "function") place.inFunction = true
      else if (kind === "background") place.inBackground = true
    }
  }
}
