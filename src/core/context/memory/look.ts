import type { MemoryPlace } from "./directory.ts"

/** Where a line goes that the user wants remembered: the memory, or an instruction file. */
export type NotePlace = "memory" | "project" | "local" | "user"

/** What a user did to memory or instructions, with all that it takes to undo it. */
export type UndoableChange =
  | { readonly _tag: "Noted"; readonly path: string; readonly text: string; readonly isNew: boolean }
  | {
      readonly _tag: "Deleted"
      readonly directory: string
      readonly name: string
      /** Of the trash. */
      readonly id: string
      /** What the index said about it. */
      readonly entries: ReadonlyArray<string>
    }

/** One file that the model may know between conversations. */
export interface KnownFile {
  readonly path: string
  readonly group: "instructions" | "memory"
  readonly label: string
  readonly detail: string
  /** Undefined: it does not exist yet, or is not read for the reason given. */
  readonly tokens: number | undefined
  /** This conversation was told its content. */
  readonly isLoaded: boolean
  /** Why it was, or why not. */
  readonly why: string
  /** Of a file of the memory that can be deleted. */
  readonly name?: string
}

/** What `/memory` shows. */
export interface MemoryLook {
  readonly place: MemoryPlace
  readonly files: ReadonlyArray<KnownFile>
}

const sizeText = ({ tokens, why }: KnownFile): string => {
  if (tokens !== undefined) return `${tokens} tokens`
  return why === "" ? "not there yet" : ""
}

export const knownFileText = (file: KnownFile): string =>
  [sizeText(file), file.tokens === undefined ? "" : file.isLoaded ? "loaded" : "not loaded", file.why]
    .filter((part) => part !== "")
    .join(" · ")

export const placeText = (place: MemoryPlace): string =>
  place._tag === "On" ? `memory is on, in ${place.path}` : `memory is off: ${place.why}`

/** For interfaces of plain lines. */
export const memoryLines = ({ place, files }: MemoryLook): ReadonlyArray<string> => [
  placeText(place),
  ...files.map((file) => `${file.label} (${file.path}): ${knownFileText(file)}`)
]
