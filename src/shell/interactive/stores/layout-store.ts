import { renameSync } from "node:fs"
import { join } from "node:path"
import { layoutsLoaded } from "../../../tui/model/windows/saved-layouts.ts"
import type { AppModel } from "../../../tui/model/app-model.ts"
import { changedLayouts, type LayoutChange, readLayouts } from "../../../tui/screen/layout/layout-file.ts"
import { withFileLock } from "../../system/file-lock.ts"
import { readIfThere, writeWhole } from "../../system/private-file.ts"
import type { SourcedFile } from "./vimrc-file.ts"

/** The user's arrangements of panes on disk. Read before the first frame, so that nothing moves after it. */

export const layoutPath = (configHome: string): string => join(configHome, "nacre", "layout.json")

/** What cannot be read is put aside under another name: the next change would write over it. */
const putAside = (path: string): string => {
  const aside = `${path}.bad`
  renameSync(path, aside)
  return `the default layout is used and the file is kept as ${aside}`
}

export const sourceLayouts = (configHome: string, model: AppModel): SourcedFile => {
  const path = layoutPath(configHome)
  try {
    const text = readIfThere(path)
    if (text === undefined) return { model, notices: [] }
    const reading = readLayouts(text)
    if ("layouts" in reading) return { model: layoutsLoaded(model, reading.layouts), notices: [] }
    const { line, column, message } = reading.problem
    return { model, notices: [`${path}:${line}:${column}: ${message}; ${putAside(path)}`] }
  } catch (error) {
    return { model, notices: [`${path} cannot be read (${String(error)}). Fix: make it readable, or delete it`] }
  }
}

/** Two processes change the arrangements of different sizes; neither undoes what the other did. */
export const storeLayouts = (configHome: string, change: LayoutChange): void => {
  const path = layoutPath(configHome)
  withFileLock(path, () => {
    const text = readIfThere(path)
    if (text !== undefined && "problem" in readLayouts(text)) putAside(path)
    writeWhole(path, changedLayouts(text, change))
  })
}
