import { withoutCommands, type Update } from "./update-result.ts"
import type { AppModel } from "./app-model.ts"
import { openOverlay } from "./open-overlay.ts"

/** What a command of the command line is. */
export interface ExRequest {
  readonly argument: string
  readonly bang: boolean
  /** The text of the range, where there is one. */
  readonly text: string | undefined
}

export interface ExCommand {
  readonly run: (model: AppModel, request: ExRequest) => Update
  readonly takesRange?: true
}

export type Run = ExCommand["run"]

/** Lines to read, over everything else. */
export const listing = (model: AppModel, title: string, lines: ReadonlyArray<string>): Update =>
  withoutCommands(
    openOverlay(model, { _tag: "Listing", title, lines: lines.length === 0 ? ["nothing yet"] : lines, top: 0 })
  )

/** A name of the user's own for a line of the command line. */
export interface UserCommand {
  readonly arguments: "0" | "1" | "?" | "*" | "+"
  readonly takesBang: boolean
  readonly line: string
}

export type UserCommands = ReadonlyMap<string, UserCommand>
