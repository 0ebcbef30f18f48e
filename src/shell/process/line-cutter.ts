import { LIMITS } from "../../core/domain/limits.ts"

/** Cuts incoming text into lines. A line beyond the limit is dropped as it arrives, so that it cannot fill the memory. */
export interface LineCutter {
  readonly push: (chunk: string) => ReadonlyArray<InputLine>
  /** The unfinished last line, if the input ended without a line break. */
  readonly end: () => ReadonlyArray<InputLine>
}

export type InputLine = { readonly _tag: "Line"; readonly text: string } | { readonly _tag: "TooLong" }

export const makeLineCutter = (limit: number = LIMITS.inputLineBytes): LineCutter => {
  let parts: Array<string> = []
  let length = 0
  let dropping = false

  const take = (): ReadonlyArray<InputLine> => {
    const line: InputLine = dropping ? { _tag: "TooLong" } : { _tag: "Line", text: parts.join("") }
    parts = []
    length = 0
    dropping = false
    return line._tag === "Line" && line.text.trim() === "" ? [] : [line]
  }

  const add = (text: string): void => {
    length += text.length
    if (length > limit) {
      dropping = true
      parts = []
    } else if (text !== "") {
      parts.push(text)
    }
  }

  return {
    push: (chunk) => {
      const lines: Array<InputLine> = []
      let from = 0
      for (let at = chunk.indexOf("\n"); at !== -1; at = chunk.indexOf("\n", from)) {
        add(chunk.slice(from, at))
        lines.push(...take())
        from = at + 1
      }
      add(chunk.slice(from))
      return lines
    },
    end: () => (length === 0 && !dropping ? [] : take())
  }
}
