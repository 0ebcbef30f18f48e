import { readdirSync, readFileSync } from "node:fs"
import { dirname, join, relative, resolve } from "node:path"
import { fileURLToPath } from "node:url"

/** The repository's own files, for tests that read them as text. */

export const ROOT = resolve(dirname(fileURLToPath(import.meta.url)), "../..")

const FOLDERS = ["src", "test", "docs", "bench", "scripts", ".ci"]

const below = (dir: string): Array<string> =>
  readdirSync(dir, { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() ? below(join(dir, entry.name)) : entry.isFile() ? [join(dir, entry.name)] : []
  )

const atTheTop = readdirSync(ROOT, { withFileTypes: true }).flatMap((entry) =>
  entry.isFile() ? [join(ROOT, entry.name)] : []
)

/** Paths from the root of the repository. */
export const repositoryFiles: ReadonlyArray<string> = [
  ...atTheTop,
  ...FOLDERS.flatMap((folder) => below(join(ROOT, folder)))
].map((path) => relative(ROOT, path))

export interface TextFile {
  readonly path: string
  readonly lines: ReadonlyArray<string>
}

export const readText = (path: string): TextFile => ({ path, lines: readFileSync(join(ROOT, path), "utf8").split("\n") })

/** Everything that explains the project to people; what the model reads stands beside the code and is not meant. */
export const documents: ReadonlyArray<TextFile> = repositoryFiles
  .filter((path) => path.endsWith(".md") && (!path.startsWith("src/") || path.endsWith("AGENTS.md")))
  .map(readText)
