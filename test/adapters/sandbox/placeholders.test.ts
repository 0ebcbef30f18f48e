import { chmodSync, existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { isPlaceholder, makePlaceholders, placeholdersFor } from "../../../src/adapters/sandbox/placeholders.ts"
import { freshDirectory } from "../../support/temp-world.ts"

const place = () => {
  const root = freshDirectory()
  const ledger = join(root, "ledger")
  return { root, ledger, placeholders: makePlaceholders(ledger), path: join(root, ".mcp.json") }
}

const isMarked = (path: string): boolean => isPlaceholder(path, lstatSync(path))

describe("placeholders", () => {
  it("are empty directories that nobody may write, except for git's commondir", () => {
    const { root, placeholders, path } = place()
    const common = join(root, "commondir")
    expect(placeholders.hold([path, common]).paths).toEqual([path, common])
    expect(lstatSync(path).isDirectory()).toBe(true)
    expect(lstatSync(path).mode & 0o777).toBe(0o555)
    expect(readFileSync(common, "utf8")).toBe(".\n")
    expect([path, common].map(isMarked)).toEqual([true, true])
  })

  it("go when the last command that needs them has ended", () => {
    const { placeholders, path, ledger } = place()
    const [first, second] = [placeholders.hold([path]), placeholders.hold([path])]
    first.release()
    first.release()
    placeholders.sweep()
    expect(existsSync(path)).toBe(true)
    second.release()
    placeholders.sweep()
    expect(existsSync(path)).toBe(false)
    expect(readdirSync(ledger)).toEqual([])
  })

  it("stay while another process needs them; one that is gone does not count", () => {
    const { placeholders, path, ledger } = place()
    placeholders.hold([path]).release()
    writeFileSync(join(ledger, String(process.ppid)), path)
    placeholders.sweep()
    expect(existsSync(path)).toBe(true)
    const gone = 2 ** 22 + 1
    writeFileSync(join(ledger, String(process.ppid)), "")
    writeFileSync(join(ledger, String(gone)), path)
    placeholders.hold([path]).release()
    placeholders.sweep()
    expect(existsSync(path)).toBe(false)
    expect(readdirSync(ledger)).toEqual([String(process.ppid)])
  })

  it("of a process that was killed go with the next one, in whatever project they are", () => {
    const { root, path, ledger } = place()
    mkdirSync(ledger)
    const gone = 2 ** 22 + 1
    const [left, used] = [join(root, ".npmrc"), join(root, ".envrc")]
    for (const one of [left, used]) mkdirSync(one, { mode: 0o555 })
    chmodSync(used, 0o755)
    writeFileSync(join(ledger, String(gone)), [left, used, path].join("\0"))
    makePlaceholders(ledger)
    expect([left, used].map((one) => existsSync(one))).toEqual([false, true])
    expect(readdirSync(ledger)).toEqual([])
  })

  it("are one for all sessions of a process, so that none takes away what another holds", () => {
    const { ledger, path } = place()
    const [one, other] = [placeholdersFor(ledger), placeholdersFor(ledger)]
    const held = one.hold([path])
    other.hold([path]).release()
    other.sweep()
    expect(existsSync(path)).toBe(true)
    held.release()
    one.sweep()
    expect(existsSync(path)).toBe(false)
  })

  it("never take away what somebody put there meanwhile", () => {
    const { placeholders, path } = place()
    const held = placeholders.hold([path])
    chmodSync(path, 0o755)
    writeFileSync(join(path, "mine"), "mine")
    held.release()
    placeholders.sweep()
    expect(readFileSync(join(path, "mine"), "utf8")).toBe("mine")
  })

  it("are told from directories of the user", () => {
    const { root } = place()
    mkdirSync(join(root, ".vscode"))
    expect(isMarked(join(root, ".vscode"))).toBe(false)
    mkdirSync(join(root, ".idea/inner"), { recursive: true })
    chmodSync(join(root, ".idea"), 0o555)
    expect(isMarked(join(root, ".idea"))).toBe(false)
  })
})
