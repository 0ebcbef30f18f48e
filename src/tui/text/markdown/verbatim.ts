/** Lines inside code and HTML: they belong to it whatever they say. */
import { dropColumns } from "./indent.ts"
import { BLANK } from "./marks.ts"
import { type Cursor, emit, type Work } from "./open-leaf.ts"

const closesFence = (rest: string, mark: string): boolean => {
  const found = /^ {0,3}(`{3,}|~{3,})[ \t]*$/.exec(rest)?.[1]
  return found !== undefined && found[0] === mark[0] && found.length >= mark.length
}

/** Returns false when no such block is open, or when it is over. */
export const takeVerbatim = (work: Work, cursor: Cursor, matched: number): boolean => {
  const { open } = work
  if (open?.kind !== "fence" && open?.kind !== "html") return false
  const { rest, at, line } = cursor
  const place = { fresh: work.frames.length, start: line.start, end: line.end }
  if (matched < open.depth) {
    work.open = undefined
    return false
  }
  if (open.kind === "fence") {
    if (closesFence(rest, open.mark)) {
      work.open = undefined
      emit(work, { kind: "fenceEnd", ...place })
      return true
    }
    const dropped = dropColumns(rest, open.indent)
    emit(work, {
      kind: "code",
      fenced: true,
      line: { text: rest.slice(dropped), at: at + dropped, end: line.end },
      ...place
    })
    return true
  }
  if (open.end === BLANK && BLANK.test(rest)) {
    work.open = undefined
    return false
  }
  emit(work, { kind: "html", line: { text: rest, at, end: line.end }, ...place })
  if (open.end.test(rest)) work.open = undefined
  return true
}
