import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { followOptions } from "../../../../src/shell/interactive/options/follow-options.ts"
import { loadUiOptions } from "../../../../src/shell/interactive/options/ui-options.ts"
import type { Happening } from "../../../../src/tui/model/msg.ts"
import { atDesk, type Desk } from "../desk.ts"

const following = ({ plan }: Desk) => {
  const told: Array<Happening> = []
  let wake = (): void => {}
  const tell = (happening: Happening): void => {
    told.push(happening)
    wake()
  }
  const complain = (text: string): void => tell({ _tag: "Told", notice: { key: text, text, priority: "high" } })
  const { options: shown } = loadUiOptions(plan)
  const { stop } = followOptions({ plan, shown, keyboard: () => "extended", tell, complain })
  const first = (tag: Happening["_tag"]): Promise<Happening> =>
    new Promise((resolve) => {
      wake = () => {
        const found = told.find(({ _tag }) => _tag === tag)
        if (found !== undefined) resolve(found)
      }
      wake()
    })
  return { told, stop, first }
}

describe("while the interface runs", () => {
  it(
    "options that somebody else changes are told, and only those",
    atDesk(async (desk) => {
      const { told, stop } = following(desk)
      writeFileSync(join(desk.configHome, "settings.json"), '{"theme": "light", "model": "x"}')
      desk.plan.settings.reload(true)
      expect(told).toEqual([{ _tag: "OptionsChanged", change: { theme: "light" } }])
      writeFileSync(join(desk.configHome, "settings.json"), '{"theme": "light", "model": "y"}')
      desk.plan.settings.reload(true)
      await desk.plan.settings.change("userSettings", [{ path: ["theme"], value: "dark" }])
      expect(told).toHaveLength(1)
      stop()
    })
  )

  it(
    "key bindings are read again when their file changes",
    atDesk(async (desk) => {
      const { stop, first } = following(desk)
      const keys = { bindings: [{ context: "Chat", bindings: { "ctrl+k": "chat:stash" } }] }
      writeFileSync(join(desk.configHome, "keybindings.json"), JSON.stringify(keys))
      const loaded = await first("KeymapLoaded")
      stop()
      expect(loaded._tag === "KeymapLoaded" && loaded.keymap.bindings.some(({ source }) => source === "user")).toBe(true)
    })
  )
})
