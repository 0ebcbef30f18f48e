import { join } from "node:path"
import type { AppModel } from "../../../tui/model/app-model.ts"
import { readVimrc } from "../../../tui/app/commands/vimrc.ts"
import { readIfThere } from "../../system/private-file.ts"

/** The user's vimrc for panes and prompt. It is never read from a project: whoever maps keys can do anything. */

export const vimrcPath = (configHome: string): string => join(configHome, "nacre", "vimrc")

export interface SourcedFile {
  readonly model: AppModel
  readonly notices: ReadonlyArray<string>
}

export const sourceVimrc = (configHome: string, model: AppModel): SourcedFile => {
  const path = vimrcPath(configHome)
  try {
    const text = readIfThere(path)
    if (text === undefined) return { model, notices: [] }
    const read = readVimrc(model, text)
    return { model: read.model, notices: read.problems.map(({ line, words }) => `${path}:${line}: ${words}`) }
  } catch (error) {
    return { model, notices: [`${path} cannot be read (${String(error)}). Fix: make it readable`] }
  }
}
