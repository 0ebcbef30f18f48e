import { readFileSync } from "node:fs"
import { dirname, join, resolve } from "node:path"
import { fileURLToPath } from "node:url"
import { describe, expect, it } from "vitest"

/**
 * npm writes a lock file without the optional packages that it could not see, and then `npm ci` fails on a machine
 * that needs them. The lock file must hold every package that any package in it names, for every platform.
 */

const root = resolve(dirname(fileURLToPath(import.meta.url)), "../..")

interface Locked {
  readonly version?: string
  readonly name?: string
  readonly integrity?: string
  readonly resolved?: string
  readonly dependencies?: Readonly<Record<string, string>>
  readonly devDependencies?: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
}

const { packages } = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8")) as {
  readonly packages: Readonly<Record<string, Locked>>
}

/** Node's own search: beside the asking package, then in every folder above it. */
const places = (asking: string, name: string): Array<string> => {
  const above = asking === "" ? [] : places(asking.slice(0, Math.max(0, asking.lastIndexOf("/node_modules/"))), name)
  return [`${asking === "" ? "" : `${asking}/`}node_modules/${name}`, ...above]
}

const named = (locked: Locked): Array<string> =>
  Object.keys({ ...locked.dependencies, ...locked.devDependencies, ...locked.optionalDependencies })

describe("the lock file", () => {
  it("holds every package that a package in it names", () => {
    const holes = Object.entries(packages).flatMap(([path, locked]) =>
      named(locked)
        .filter((name) => !places(path, name).some((place) => packages[place] !== undefined))
        .map((name) => `${path} names ${name}`)
    )
    expect(holes).toEqual([])
  })

  it("knows the version and the contents of each", () => {
    const vague = Object.entries(packages).filter(
      ([path, { version, integrity }]) => path !== "" && (version === undefined || integrity === undefined)
    )
    expect(vague.map(([path]) => path)).toEqual([])
  })

  it("has the tools of each platform we support", () => {
    const tools = ["rolldown/binding", "oxlint/binding", "oxfmt/binding", "typescript/typescript", "lydell/node-pty"]
    const more = ["napi-rs/image", "vscode/ripgrep", "oxlint-tsgolint"]
    const platforms = ["linux", "darwin", "win32"].flatMap((os) => ["x64", "arm64"].map((cpu) => `${os}-${cpu}`))
    const missing = platforms.flatMap((platform) =>
      [...tools, ...more].filter(
        (tool) => !Object.keys(packages).some((path) => path.includes(tool) && path.includes(platform))
      )
    )
    expect(missing).toEqual([])
  })

  it("names no registry", () => {
    expect(Object.keys(packages).filter((path) => packages[path]?.resolved !== undefined)).toEqual([])
  })

  it("takes exact versions only, and no program of another agent", () => {
    const direct = { ...packages[""]?.dependencies, ...packages[""]?.devDependencies, ...packages[""]?.optionalDependencies }
    expect(Object.entries(direct).filter(([, version]) => !/^\d+\.\d+\.\d+$/.test(version))).toEqual([])
    const programs = Object.keys(packages).filter((path) => /claude-agent-sdk-/.test(path))
    expect(programs.filter((path) => packages[path]?.name !== "empty-npm-package")).toEqual([])
  })
})
