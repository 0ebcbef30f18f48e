import { lstatSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { settingsQuestion } from "../../../../src/core/settings/startup-question.ts"
import { terminalChoices } from "../../../../src/shell/interactive/terminal/terminal-overrides.ts"
import { loadUiOptions } from "../../../../src/shell/interactive/options/ui-options.ts"
import { DEFAULT_UI_OPTIONS } from "../../../../src/tui/model/ui-options.ts"
import { atDesk, type Desk, isNotice, isTold, isToldThat } from "../desk.ts"

/** Which models there are depends on the credential, which is not there. */
const DEFAULTS = { ...DEFAULT_UI_OPTIONS, models: expect.arrayContaining([{ name: "offline", id: "offline" }]) }

const settingsOf = ({ configHome }: Desk): string => join(configHome, "settings.json")

const withSettings = (desk: Desk, settings: unknown): void => {
  writeFileSync(settingsOf(desk), typeof settings === "string" ? settings : JSON.stringify(settings, null, 2))
  desk.plan.settings.reload()
}

describe("options of the interface", () => {
  it(
    "are the defaults where nothing is set",
    atDesk(async ({ plan }) => {
      const { options, notices } = loadUiOptions(plan)
      expect(options).toEqual(DEFAULTS)
      expect(notices).toEqual([])
    })
  )

  it(
    "come from the user's settings",
    atDesk(async (desk) => {
      withSettings(desk, {
        theme: "light",
        editorMode: "vim",
        prefersReducedMotion: true,
        viewMode: "focus",
        syntaxHighlightingDisabled: true,
        showTurnDuration: false,
        keybindingFlavor: "readline",
        emojiCompletionEnabled: false,
        hideVimModeIndicator: true,
        vimInsertModeRemaps: { jk: "<Esc>", jj: "escape", a: "<Esc>", kk: "x", "j ": "<Esc>" },
        nacre: {
          tui: {
            borders: "ascii",
            tabWidth: 2,
            typeThrough: true,
            fold: { Bash: 5 },
            promptSlash: "buffer",
            clipboard: "none"
          }
        }
      })
      const { options, notices } = loadUiOptions(desk.plan)
      expect(options).toMatchObject({
        theme: "light",
        editorMode: "vim",
        reducedMotion: true,
        view: "focus",
        highlight: false,
        showTurns: false,
        borders: "ascii",
        tabWidth: 2,
        typeThrough: true,
        foldLimits: { Bash: 5 },
        keyFlavor: "readline",
        emojiCompletion: false,
        showVimMode: false,
        insertRemaps: ["jk", "jj"],
        promptSlash: "buffer",
        clipboard: "none"
      })
      expect(notices).toEqual([])
    })
  )

  it(
    "say what the terminal can do, field by field",
    atDesk(async (desk) => {
      withSettings(desk, {
        nacre: { tui: { scrollRegions: false, caps: { colourDepth: "16", syncOutput: false, title: "yes", wings: true } } }
      })
      expect(terminalChoices(desk.plan)).toEqual({
        caps: { scrollRegions: false, colourDepth: "16", syncOutput: false },
        notices: [expect.stringContaining("nacre.tui.caps.title"), expect.stringContaining("nacre.tui.caps.wings")]
      })
      const { options, notices } = loadUiOptions(desk.plan)
      expect(options.fixedCaps).toEqual(["scrollRegions", "colourDepth", "syncOutput"])
      expect(notices).toHaveLength(2)
    })
  )

  it(
    "name a command for the status, words and tips, and switch off what is not wanted",
    atDesk(async (desk) => {
      withSettings(desk, {
        verbose: true,
        terminalProgressBarEnabled: false,
        spinnerVerbs: { mode: "replace", verbs: ["Baking"] },
        spinnerTipsEnabled: false,
        statusLine: { type: "command", command: "mine", padding: 2, hideVimModeIndicator: true }
      })
      expect(loadUiOptions(desk.plan).options).toMatchObject({
        view: "verbose",
        spinnerVerbs: ["Baking"],
        tips: { own: [], showsOurs: false },
        statusLine: { command: "mine", padding: 2 },
        showVimMode: false
      })
      expect(terminalChoices(desk.plan).caps.progress).toBe(false)
    })
  )

  it(
    "draw with ASCII where ambiguous characters are wide, unless told otherwise",
    atDesk(async (desk) => {
      withSettings(desk, {
        nacre: { tui: { ambiguousWide: true, glyphs: "unicode", clipboard: "none", alwaysShowCursor: true } }
      })
      expect(loadUiOptions(desk.plan).options).toMatchObject({
        borders: "ascii",
        glyphs: "unicode",
        clipboard: "none",
        alwaysShowCursor: true
      })
      expect(terminalChoices(desk.plan).caps.widthProfile?.ambiguousWide).toBe(true)
    })
  )

  it(
    "that cannot be used are ignored; what is not asked about gets a notice that names the fix",
    atDesk(async (desk) => {
      withSettings(desk, { theme: "pink", editorMode: 3, nacre: { tui: { tabWidth: 0, fold: { Bash: "many" } } } })
      const { options, notices } = loadUiOptions(desk.plan)
      expect(options).toEqual(DEFAULTS)
      expect(notices.map((notice) => notice.split(" ", 1)[0])).toEqual(["nacre.tui.fold.Bash", "theme"])
      for (const notice of notices) expect(notice).toContain("Fix: set it to ")
    })
  )

  it(
    "survive a broken file, about which is asked",
    atDesk(async (desk) => {
      withSettings(desk, '{\n  "theme": "light",\n}')
      const { options, notices } = loadUiOptions(desk.plan)
      expect(options).toEqual(DEFAULTS)
      expect(notices).toEqual([])
      const { problems } = desk.plan.settings.current()
      expect(settingsQuestion(problems, false)?.problems).toMatchObject([{ line: 2, column: 19 }])
    })
  )

  it(
    "say why a model cannot be used",
    atDesk(async ({ plan }) => {
      const opus = loadUiOptions(plan).options.models.find(({ name }) => name === "opus")
      expect(opus?.unavailable).toMatch(/credential|ANTHROPIC_API_KEY/)
    })
  )

  it(
    "obey the environment",
    atDesk(
      async ({ plan }) => {
        expect(loadUiOptions(plan).options.mouse).toBe(false)
      },
      { env: { CLAUDE_CODE_DISABLE_MOUSE: "1" } }
    )
  )

  it(
    "bring the user's keys, and a warning with its place",
    atDesk(async (desk) => {
      const keys = { bindings: [{ context: "Chat", bindings: { "ctrl+k": "chat:stash", "ctrl+o": "chat:stahs" } }] }
      writeFileSync(join(desk.configHome, "keybindings.json"), JSON.stringify(keys))
      const { keymap, notices } = loadUiOptions(desk.plan)
      expect(keymap.bindings.some(({ source, action }) => source === "user" && action === "chat:stash")).toBe(true)
      expect(notices).toEqual([expect.stringMatching(/keybindings\.json:1:\d+: .*chat:stash/)])
    })
  )
})

describe("saving an option", () => {
  const save = (desk: Desk, name: string, value: string | boolean): void =>
    desk.performer.perform({ _tag: "SaveOption", name, value })

  it(
    "keeps everything else, its order and its place",
    atDesk(async (desk) => {
      const target = join(desk.cwd, "dotfile.json")
      writeFileSync(target, '{\n\t"zeta": [1],\n\t"theme": "dark",\n\t"nacre": { "other": 1 }\n}\n', { mode: 0o640 })
      symlinkSync(target, settingsOf(desk))
      save(desk, "theme", "light")
      save(desk, "borders", "none")
      await expect
        .poll(() => readFileSync(target, "utf8"))
        .toBe('{\n\t"zeta": [1],\n\t"theme": "light",\n\t"nacre": { "other": 1, "tui": { "borders": "none" } }\n}\n')
      expect(lstatSync(settingsOf(desk)).isSymbolicLink()).toBe(true)
      expect(statSync(target).mode & 0o777).toBe(0o640)
    })
  )

  it(
    "makes a private file where there is none",
    atDesk(async (desk) => {
      save(desk, "editorMode", "vim")
      expect(JSON.parse(readFileSync(settingsOf(desk), "utf8"))).toEqual({ editorMode: "vim" })
      expect(statSync(settingsOf(desk)).mode & 0o777).toBe(0o600)
    })
  )

  it(
    "never writes over a file that it cannot read",
    atDesk(async (desk) => {
      withSettings(desk, "{ // mine\n}")
      save(desk, "theme", "light")
      await desk.until(isNotice("holds for this session only"))
      expect(readFileSync(settingsOf(desk), "utf8")).toBe("{ // mine\n}")
    })
  )
})

describe("editing the key bindings", () => {
  it(
    "begins with every default and reloads what was saved",
    atDesk(
      async (desk) => {
        desk.performer.perform({ _tag: "EditKeybindings" })
        const { keymap } = await desk.until(isTold("KeymapLoaded"))
        expect(keymap.bindings.some(({ source, action }) => source === "user" && action === "chat:submit")).toBe(true)
        expect(desk.lent()).toBe(1)
      },
      { env: { EDITOR: "true" } }
    )
  )

  it(
    "keeps the table in force when the file is broken",
    atDesk(
      async (desk) => {
        desk.performer.perform({ _tag: "EditKeybindings" })
        await desk.until(isNotice("keybindings.json:1:1"))
        expect(desk.heard.some(isTold("KeymapLoaded"))).toBe(false)
      },
      { env: { EDITOR: 'f() { echo nonsense > "$1"; }; f' } }
    )
  )

  it(
    "tells on request what is wrong with them",
    atDesk(async (desk) => {
      desk.performer.perform({ _tag: "CheckKeybindings" })
      expect((await desk.until(isTold("Listed"))).lines).toEqual([expect.stringContaining("nothing is wrong")])
      const text = '{"bindings": [{"context": "Confirmaton", "bindings": {"y": null}}]}'
      writeFileSync(join(desk.configHome, "keybindings.json"), text)
      desk.performer.perform({ _tag: "CheckKeybindings" })
      const { lines } = await desk.until(
        isToldThat("Listed", (each) => each.lines[0]?.includes("keybindings.json:1:") === true)
      )
      expect(lines[0]).toContain('"Confirmation"')
    })
  )
})
