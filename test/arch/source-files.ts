import { readFileSync } from "node:fs"
import { dirname, join, relative, resolve } from "node:path"
import { ROOT, repositoryFiles } from "./repository-files.ts"

/** The modules below src and what each of them imports. */

export interface Import {
  /** Path from the root of the repository, or the name of a package. */
  readonly target: string
  /** Gone when the program runs. */
  readonly isOnlyTypes: boolean
  /** Only loaded when it is reached. */
  readonly isDynamic: boolean
}

export interface SourceFile {
  readonly path: string
  readonly text: string
  readonly imports: ReadonlyArray<Import>
}

/** Statements and dynamic imports, and nothing that only looks like one inside a text. */
const IMPORT =
  /^(?:import|export)\s+(?<type>type\s+)?(?<names>[\w$*{},\s]+?)\s+from\s+["'](?<from>[^"']+)["']|^import\s+["'](?<bare>[^"']+)["']|\bimport\s*\(\s*["'](?<dynamic>[^"']+)["']/gm

const areTypes = (names = ""): boolean =>
  /^\{([^]*)\}$/
    .exec(names.trim())?.[1]
    ?.split(",")
    .every((name) => name.trim() === "" || name.trim().startsWith("type ")) === true

const importsIn = (path: string, text: string): Array<Import> =>
  [...text.matchAll(IMPORT)].map(({ groups = {} }) => {
    const target = groups["from"] ?? groups["bare"] ?? groups["dynamic"] ?? ""
    return {
      target: target.startsWith(".") ? relative(ROOT, resolve(ROOT, dirname(path), target)) : target,
      isOnlyTypes: groups["type"] !== undefined || areTypes(groups["names"]),
      isDynamic: groups["dynamic"] !== undefined
    }
  })

export const sourceFiles: ReadonlyArray<SourceFile> = repositoryFiles
  .filter((path) => path.startsWith("src/") && path.endsWith(".ts"))
  .map((path) => {
    const text = readFileSync(join(ROOT, path), "utf8")
    return { path, text, imports: importsIn(path, text) }
  })
