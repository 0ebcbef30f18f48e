import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { describe, expect, it } from "vitest"
import { KeptFiles } from "../../../../src/shell/interactive/stores/user-state-files.ts"
import { layoutPath, sourceLayouts, storeLayouts } from "../../../../src/shell/interactive/stores/layout-store.ts"
import type { LayoutChange } from "../../../../src/tui/screen/layout/layout-file.ts"
import type { SizeClass } from "../../../../src/tui/screen/layout/size-class.ts"
import { column, leaf, type Node, row } from "../../../../src/tui/screen/layout/tree.ts"
import { TuiWorld } from "../../../support/tui-world.ts"

const MAIN = column(800, leaf("transcript"), leaf("prompt"))
const WITH_FILES = row(500, MAIN, leaf("files"))

const change = (name: SizeClass, tree: Node | undefined): LayoutChange => ({
  classes: new Map([[name, tree]]),
  named: new Map()
})

const inHome = (use: (home: string) => void) => (): void => {
  const home = mkdtempSync(join(tmpdir(), "nacre-layout-"))
  try {
    use(home)
  } finally {
    rmSync(home, { recursive: true, force: true })
  }
}

const sourced = (home: string) => sourceLayouts(home, new TuiWorld().initial)

describe("layouts on disk", () => {
  it(
    "are private, come back, and two writers keep what the other wrote",
    inHome((home) => {
      storeLayouts(home, change("normal", WITH_FILES))
      storeLayouts(home, change("wide", MAIN))
      expect(statSync(layoutPath(home)).mode & 0o777).toBe(0o600)
      const { model, notices } = sourced(home)
      expect(notices).toEqual([])
      expect(model.layout.trees).toEqual({ normal: WITH_FILES, wide: MAIN })
      storeLayouts(home, change("wide", undefined))
      expect(sourced(home).model.layout.trees).toEqual({ normal: WITH_FILES })
    })
  )

  it(
    "are the defaults without a file, and no file is made",
    inHome((home) => {
      expect(sourced(home)).toMatchObject({ model: { layout: { trees: {} } }, notices: [] })
      expect(existsSync(layoutPath(home))).toBe(false)
    })
  )

  it(
    "are put aside when they cannot be read, with the place that is wrong",
    inHome((home) => {
      const path = layoutPath(home)
      mkdirSync(dirname(path), { recursive: true })
      writeFileSync(path, '{"version":1,\n "classes": nonsense}')
      const { model, notices } = sourced(home)
      expect(model.layout.trees).toEqual({})
      expect(notices).toEqual([expect.stringMatching(/layout\.json:2:13: .*not JSON.*layout\.json\.bad$/)])
      expect(existsSync(path)).toBe(false)
      expect(readFileSync(`${path}.bad`, "utf8")).toContain("nonsense")
    })
  )

  it(
    "are written a moment after the change, all changes at once",
    inHome((home) => {
      const kept = new KeptFiles({
        configHome: home,
        env: {},
        tell: () => {},
        complain: () => {},
        transcriptOf: () => undefined
      })
      kept.keepLayout(change("normal", MAIN))
      kept.keepLayout(change("normal", WITH_FILES))
      kept.keepLayout(change("tiny", MAIN))
      expect(existsSync(layoutPath(home))).toBe(false)
      kept.flush()
      expect(sourced(home).model.layout.trees).toEqual({ normal: WITH_FILES, tiny: MAIN })
    })
  )

  it(
    "say so when they cannot be written",
    inHome((home) => {
      writeFileSync(join(home, "nacre"), "a file where the folder would be")
      const complaints: Array<string> = []
      const kept = new KeptFiles({
        configHome: home,
        env: {},
        tell: () => {},
        complain: (text) => complaints.push(text),
        transcriptOf: () => undefined
      })
      kept.keepLayout(change("normal", MAIN))
      kept.flush()
      expect(complaints).toEqual([expect.stringMatching(/^layout\.json was not written .*Fix: make/)])
    })
  )
})
