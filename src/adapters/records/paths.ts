import fs from "node:fs"
import path from "node:path"
import { projectSlug } from "../../core/session/slug.ts"

/** Where sessions live below the config directory. */
export interface Places {
  readonly home: string
  readonly projects: string
  readonly sessions: string
  readonly fileHistory: string
  /** A name from the environment that stands for every project's directory. */
  readonly projectDirName: string | null
}

export const placesOf = (home: string, projectDirName: string | null): Places => {
  const root = path.resolve(home)
  return {
    home: root,
    projects: path.join(root, "projects"),
    sessions: path.join(root, "sessions"),
    fileHistory: path.join(root, "file-history"),
    projectDirName
  }
}

/** The directory without links; one that is gone keeps the name it was called by. */
export const realDirectory = (directory: string): string => {
  try {
    return fs.realpathSync(directory)
  } catch {
    return path.resolve(directory)
  }
}

export const projectDirectory = (places: Places, cwd: string): string =>
  path.join(places.projects, places.projectDirName ?? projectSlug(realDirectory(cwd)))

export const transcriptPath = (places: Places, cwd: string, sessionId: string): string =>
  path.join(projectDirectory(places, cwd), `${sessionId}.jsonl`)
