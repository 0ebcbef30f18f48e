import { chmodSync, chownSync, existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, statSync } from "node:fs"
import { symlinkSync, truncateSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { Effect, Result } from "effect"
import { describe, expect, it } from "vitest"
import { PLACEHOLDER_MODE } from "../../../src/core/sandbox/platform/placeholder.ts"
import { patchText } from "../../../src/core/domain/json/patch.ts"
import type { SettingsPlace } from "../../../src/core/ports/Settings.ts"
import { putFile, putLink, putPipe } from "../../support/temp-world.ts"
import { settingsDisk, type SettingsDisk } from "./settings-disk.ts"

const read = ({ settings }: SettingsDisk, place: SettingsPlace) => Effect.runSync(settings.read(place))

const set = ({ settings }: SettingsDisk, place: SettingsPlace, name: string, value: string) =>
  Effect.runPromise(Effect.result(settings.change(place, (text) => patchText(text, [{ path: [name], value }]))))

const placesOf = (disk: SettingsDisk) =>
  Effect.runSync(disk.settings.places(disk)).map(({ source, path }) => [source, path.slice(disk.root.length)])

describe("a file that cannot be used", () => {
  it("is told with the place of the first byte that is not text", () => {
    const disk = settingsDisk()
    const [place] = Effect.runSync(disk.settings.places(disk))
    if (place === undefined) return expect.fail()
    putFile(place.path, "")
    writeFileSync(place.path, Buffer.concat([Buffer.from('{\n "\u00e9": '), Buffer.from([0xff]), Buffer.from("\n}")]))
    expect(read(disk, place)).toMatchObject({
      _tag: "Unreadable",
      reason: "it is not UTF-8 text",
      at: { line: 2, column: 7 }
    })
  })

  it("is told when a link of one's own leads nowhere, and can still be written", async () => {
    const disk = settingsDisk()
    const [place] = Effect.runSync(disk.settings.places(disk))
    if (place === undefined) return expect.fail()
    mkdirSync(dirname(place.path), { recursive: true })
    symlinkSync("../elsewhere.json", place.path)
    const target = join(disk.home, "elsewhere.json")
    expect(read(disk, place)).toEqual({ _tag: "Absent", leadsTo: target })
    expect(Result.isSuccess(await set(disk, place, "theme", "dark"))).toBe(true)
    expect(readFileSync(target, "utf8")).toContain("dark")
  })
})

describe("where settings are", () => {
  it("lists every place, managed drop-ins in the order of their bytes", () => {
    const disk = settingsDisk()
    for (const name of ["b.json", "A.json", ".hidden.json", "c.txt"])
      putFile(join(disk.managed, "managed-settings.d", name), "{}")
    expect(placesOf(disk)).toEqual([
      ["userSettings", "/home/.claude/settings.json"],
      ["projectSettings", "/work/.claude/settings.json"],
      ["localSettings", "/work/.claude/settings.local.json"],
      ["policySettings", "/managed/managed-settings.json"],
      ["policySettings", "/managed/managed-settings.d/A.json"],
      ["policySettings", "/managed/managed-settings.d/b.json"]
    ])
  })

  const localOf = (disk: SettingsDisk, startDir: string) =>
    Effect.runSync(disk.settings.places({ ...disk, startDir }))
      .filter(({ source }) => source === "localSettings")
      .map(({ path }) => path.slice(disk.root.length))

  it("keeps the local file at the root of the repository, and reads the one beside the start as well", () => {
    const disk = settingsDisk()
    const inside = join(disk.startDir, "deep", "down")
    mkdirSync(inside, { recursive: true })
    mkdirSync(join(disk.startDir, ".git"))
    expect(localOf(disk, inside)).toEqual([
      "/work/deep/down/.claude/settings.local.json",
      "/work/.claude/settings.local.json"
    ])
    expect(localOf(disk, disk.startDir)).toEqual(["/work/.claude/settings.local.json"])
  })

  it("stays beside the start when the repository is the home directory or somebody else's", () => {
    const disk = settingsDisk()
    const inHome = join(disk.home, "deep")
    mkdirSync(join(disk.home, ".git"))
    mkdirSync(inHome)
    expect(localOf(disk, inHome)).toEqual(["/home/deep/.claude/settings.local.json"])
    if (process.getuid?.() !== 0) return
    const inside = join(disk.startDir, "deep")
    mkdirSync(inside)
    mkdirSync(join(disk.startDir, ".git"))
    chownSync(join(disk.startDir, ".git"), 4_321, 4_321)
    expect(localOf(disk, inside)).toEqual(["/work/deep/.claude/settings.local.json"])
  })

  it("takes no stand-in of a sandbox for a repository", () => {
    const disk = settingsDisk()
    const inside = join(disk.startDir, "deep")
    mkdirSync(inside)
    mkdirSync(join(disk.startDir, ".git"))
    chmodSync(join(disk.startDir, ".git"), PLACEHOLDER_MODE)
    expect(localOf(disk, inside)).toEqual(["/work/deep/.claude/settings.local.json"])
  })

  it("follows a worktree to its main checkout only if that one knows the worktree", () => {
    const disk = settingsDisk()
    const tree = join(disk.root, "tree")
    const gitDir = join(disk.startDir, ".git", "worktrees", "tree")
    putFile(join(tree, ".git"), `gitdir: ${gitDir}\n`)
    putFile(join(gitDir, "commondir"), "../..\n")
    expect(localOf(disk, tree)).toEqual(["/tree/.claude/settings.local.json"])
    putFile(join(disk.root, "other", ".git"), "")
    putFile(join(gitDir, "gitdir"), `${join(disk.root, "other", ".git")}\n`)
    expect(localOf(disk, tree)).toEqual(["/tree/.claude/settings.local.json"])
    putFile(join(gitDir, "gitdir"), `${join(tree, ".git")}\n`)
    expect(localOf(disk, tree)).toEqual(["/tree/.claude/settings.local.json", "/work/.claude/settings.local.json"])
  })
})

describe("reading", () => {
  it("takes a missing file as none and follows links in the config home", () => {
    const disk = settingsDisk()
    expect(read(disk, disk.user)).toEqual({ _tag: "Absent" })
    putFile(join(disk.home, "dotfiles.json"), "{}")
    putLink(disk.user.path, join(disk.home, "dotfiles.json"))
    expect(read(disk, disk.user)).toMatchObject({ _tag: "Found", text: "{}", realPath: join(disk.home, "dotfiles.json") })
  })

  it("refuses links in a workspace, pipes, directories, large files and other encodings", () => {
    const disk = settingsDisk()
    const refusal = (place: SettingsPlace) => {
      const found = read(disk, place)
      return found._tag === "Unreadable" ? found.reason : found._tag
    }
    putFile(join(disk.root, "elsewhere.json"), "{}")
    putLink(disk.local.path, join(disk.root, "elsewhere.json"))
    expect(refusal(disk.local)).toContain("link")
    const odd = (name: string): SettingsPlace => ({ ...disk.user, path: join(disk.configHome, name) })
    putPipe(odd("pipe").path)
    mkdirSync(odd("directory").path)
    putFile(odd("large").path, "{}")
    truncateSync(odd("large").path, 2 * 1024 * 1024 + 1)
    putFile(odd("latin").path, Buffer.from([0x7b, 0xe4, 0x7d]))
    expect(["pipe", "directory", "large", "latin"].map((name) => refusal(odd(name)))).toEqual([
      "it is not a regular file",
      "it is a directory",
      "it is larger than 2 MiB",
      "it is not UTF-8 text"
    ])
  })

  it("tells whether a managed file can be trusted", () => {
    const disk = settingsDisk()
    const managed: SettingsPlace = {
      source: "policySettings",
      path: join(disk.managed, "managed-settings.json"),
      kind: "managed"
    }
    putFile(managed.path, "{}", 0o644)
    expect(read(disk, managed)).toMatchObject({ secure: process.getuid?.() === 0 })
    chmodSync(managed.path, 0o666)
    expect(read(disk, managed)).toMatchObject({ secure: false })
  })
})

describe("writing", () => {
  it("makes private files in the config home and shared ones in a project", async () => {
    const disk = settingsDisk()
    await set(disk, disk.user, "theme", "dark")
    await set(disk, disk.local, "theme", "dark")
    expect(statSync(disk.user.path).mode & 0o777).toBe(0o600)
    expect(statSync(disk.local.path).mode & 0o066).toBe(0o666 & ~process.umask() & 0o066)
    expect(readFileSync(disk.local.path, "utf8")).toBe('{\n  "theme": "dark"\n}\n')
    expect(readdirSync(dirname(disk.local.path))).toEqual(["settings.local.json"])
  })

  it("keeps the mode and writes through a link in the config home", async () => {
    const disk = settingsDisk()
    const target = join(disk.home, "dotfiles.json")
    putFile(target, '{"a": 1}', 0o640)
    symlinkSync(target, disk.user.path)
    await set(disk, disk.user, "theme", "dark")
    expect(lstatSync(disk.user.path).isSymbolicLink()).toBe(true)
    expect(statSync(target).mode & 0o777).toBe(0o640)
    expect(readFileSync(target, "utf8")).toBe('{"a": 1, "theme": "dark"}')
  })

  it.each([".claude", ".claude/settings.local.json"])("refuses when %s is a link", async (name) => {
    const disk = settingsDisk()
    const target = join(disk.root, "elsewhere")
    if (name === ".claude") mkdirSync(target)
    putLink(join(disk.startDir, name), target)
    const written = await set(disk, disk.local, "theme", "dark")
    expect(Result.isFailure(written) && written.failure.message).toContain("is a link")
    expect(existsSync(join(target, "settings.local.json")) || (name !== ".claude" && existsSync(target))).toBe(false)
  })

  it("leaves a broken file and a managed one alone", async () => {
    const disk = settingsDisk()
    putFile(disk.user.path, "{ // mine\n}")
    const written = await set(disk, disk.user, "theme", "dark")
    expect(Result.isFailure(written) && written.failure.message).toContain("line 1, column 3")
    expect(readFileSync(disk.user.path, "utf8")).toBe("{ // mine\n}")
    const managed = { source: "policySettings", path: join(disk.managed, "managed-settings.json"), kind: "managed" } as const
    expect(Result.isFailure(await set(disk, managed, "theme", "dark"))).toBe(true)
    expect(existsSync(managed.path)).toBe(false)
  })

  it("waits for a live writer and takes over from a dead one", async () => {
    const disk = settingsDisk()
    putFile(`${disk.user.path}.lock`, "999999999")
    expect(Result.isSuccess(await set(disk, disk.user, "theme", "dark"))).toBe(true)
    writeFileSync(`${disk.user.path}.lock`, String(process.pid))
    const waiting = set(disk, disk.user, "theme", "light")
    expect(JSON.parse(readFileSync(disk.user.path, "utf8"))).toEqual({ theme: "dark" })
    writeFileSync(`${disk.user.path}.lock`, "999999999")
    await waiting
    expect(JSON.parse(readFileSync(disk.user.path, "utf8"))).toEqual({ theme: "light" })
  })

  it("makes a real directory of what stands in for one while sandboxed commands run", async () => {
    const disk = settingsDisk()
    const directory = dirname(disk.local.path)
    mkdirSync(directory)
    chmodSync(directory, PLACEHOLDER_MODE)
    expect(Result.isSuccess(await set(disk, disk.local, "model", "b"))).toBe(true)
    expect(statSync(directory).mode & 0o777).toBe(0o755)
    chmodSync(directory, PLACEHOLDER_MODE)
    await set(disk, disk.local, "model", "c")
    expect(statSync(directory).mode & 0o777, "a directory with something in it is left as it is").toBe(PLACEHOLDER_MODE)
    chmodSync(directory, 0o755)
  })

  it("takes away what killed writers left, and nothing else", async () => {
    const disk = settingsDisk()
    const beside = (name: string): string => join(dirname(disk.user.path), name)
    // No process has this number: it is beyond what the system gives out.
    for (const name of ["settings.json.tmp.99999999.3", "settings.json.tmp.x", `settings.json.tmp.${process.pid}.7`]) {
      putFile(beside(name), "{}")
    }
    await set(disk, disk.user, "model", "b")
    expect(readdirSync(dirname(disk.user.path)).toSorted()).toEqual([
      "settings.json",
      `settings.json.tmp.${process.pid}.7`,
      "settings.json.tmp.x"
    ])
  })

  it("loses nothing when many write at once", async () => {
    const disk = settingsDisk()
    const names = Array.from({ length: 25 }, (_, index) => `key${index}`)
    await Promise.all(names.map((name) => set(disk, disk.user, name, name)))
    expect(Object.keys(JSON.parse(readFileSync(disk.user.path, "utf8")) as object).toSorted()).toEqual(names.toSorted())
  })

  it("tells git once to ignore the local file", async () => {
    const disk = settingsDisk()
    mkdirSync(join(disk.startDir, ".git"))
    const notices = async () => Result.getOrThrow(await set(disk, disk.local, "theme", String(Math.random()))).notices
    expect(await notices()).toEqual([expect.stringContaining("**/.claude/settings.local.json was added to")])
    expect(readFileSync(join(disk.home, ".config", "git", "ignore"), "utf8")).toBe("**/.claude/settings.local.json\n")
    expect(await notices()).toEqual([])
  })

  it.each([
    [".gitconfig", "[core]\n\texcludesFile = ~/my-ignore\n", "my-ignore"],
    [".gitconfig", "[core]\n\texcludesFile = relative\n", ".config/git/ignore"]
  ])("reads %s with %j", async (name, text, ignored) => {
    const disk = settingsDisk()
    mkdirSync(join(disk.startDir, ".git"))
    putFile(join(disk.home, name), text)
    await set(disk, disk.local, "theme", "dark")
    expect(existsSync(join(disk.home, ignored))).toBe(true)
  })

  it("adds nothing where the file is ignored already, or outside a repository", async () => {
    const disk = settingsDisk()
    expect(Result.getOrThrow(await set(disk, disk.local, "theme", "dark")).notices).toEqual([])
    const other = settingsDisk()
    mkdirSync(join(other.startDir, ".git"))
    putFile(join(other.startDir, ".gitignore"), ".claude/settings.local.json\n")
    expect(Result.getOrThrow(await set(other, other.local, "theme", "dark")).notices).toEqual([])
  })
})
