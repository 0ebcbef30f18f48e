import { spawnSync } from "node:child_process"
import { dirname, join } from "node:path"
import { expect, it } from "vitest"
import { freshDirectory } from "../support/temp-world.ts"
import { readText, repositoryFiles } from "./repository-files.ts"

/** The benchmarks and scripts are JavaScript, so no compiler asks whether what they import is still called that. */

const IMPORT = /^import \{(?<names>[^}]*)\} from "(?<from>\.[^"]+\.ts)"/gm

const textOf = (path: string): string => readText(path).lines.join("\n")

const exportsName = (text: string, name: string): boolean =>
  new RegExp(String.raw`^export (?:const|class|(?:async )?function\*?|enum) ${name}\b|^export \{[^}]*\b${name}\b`, "m").test(
    text
  )

const missingIn = (path: string): Array<string> =>
  [...textOf(path).matchAll(IMPORT)].flatMap(({ groups = {} }) => {
    const target = join(dirname(path), groups["from"] ?? "")
    const names = (groups["names"] ?? "").split(",").map((name) => name.trim().split(" as ")[0] ?? "")
    if (!repositoryFiles.includes(target)) return [`${path}: ${target} does not exist`]
    const text = textOf(target)
    return names.filter((name) => name !== "" && !exportsName(text, name)).map((name) => `${path}: ${name} of ${target}`)
  })

it("imports into plain JavaScript name what is exported", () => {
  const scripts = repositoryFiles.filter((path) => /^(?:bench|scripts)\/.*\.mjs$/.test(path))
  expect(scripts.flatMap(missingIn)).toEqual([])
  expect(scripts.length).toBeGreaterThan(10)
})

it("the programs of the benchmarks are bundled without a fault", () => {
  const bundled = spawnSync(process.execPath, ["bench/lib/bundle.mjs", join(freshDirectory(), "programs")], {
    encoding: "utf8"
  })
  expect({ status: bundled.status, stderr: bundled.stderr }).toEqual({ status: 0, stderr: "" })
})
