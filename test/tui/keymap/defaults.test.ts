import { describe, expect, it } from "vitest"
import { ACTION_TABLES, ACTIONS, isActionId } from "../../../src/tui/keymap/actions/action-tables.ts"
import { parseChord } from "../../../src/tui/keymap/chord.ts"
import { CONTEXT_NAMES, type ContextName } from "../../../src/tui/keymap/actions/context.ts"
import { defaultKeymap, KEYMAP_DEFAULTS, keysOf, strokesIn, type Keymap } from "../../../src/tui/keymap/keymap.ts"

/** The table of 07-tui 3.2: context, action and its keys; a dash stands for unbound. */
const REQUIRED: ReadonlyArray<readonly [ContextName, string]> = [
  [
    "Global",
    `app:interrupt=ctrl+c app:exit=ctrl+d app:redraw=- app:toggleTodos=ctrl+t app:toggleTranscript=ctrl+o
     history:search=ctrl+r window:prefix=ctrl+x_ctrl+w window:next=f6,ctrl+x_o window:previous=shift+f6
     app:palette=ctrl+x_ctrl+p app:help=f1 app:findAll=ctrl+x_ctrl+f app:suspend=ctrl+z`
  ],
  [
    "Chat",
    `chat:cancel=escape chat:clearInput=ctrl+l chat:clearScreen=cmd+k
     chat:cycleMode=shift+tab chat:modelPicker=meta+p chat:thinkingToggle=meta+t
     chat:submit=enter chat:newline=ctrl+j chat:undo=ctrl+shift+- chat:externalEditor=ctrl+g,ctrl+x_ctrl+e
     chat:stash=ctrl+s chat:imagePaste=ctrl+v history:previous=up history:next=down`
  ],
  [
    "Autocomplete",
    `autocomplete:accept=tab autocomplete:dismiss=escape autocomplete:previous=up
     autocomplete:next=down`
  ],
  [
    "Confirmation",
    `confirm:yes=y confirm:choose=enter confirm:no=n confirm:leave=escape confirm:previous=up confirm:next=down confirm:nextField=tab
     confirm:previousField=- confirm:toggle=space confirm:cycleMode=shift+tab confirm:toggleExplanation=ctrl+e
     permission:toggleDebug=-`
  ],
  ["Transcript", "transcript:exit=q transcript:toScrollback=g_S transcript:openInEditor=g_o"],
  ["HistorySearch", "historySearch:cycleScope=ctrl+s"],
  ["Task", "task:background=ctrl+b,ctrl+x_ctrl+b"],
  ["ThemePicker", "theme:toggleSyntaxHighlighting=ctrl+t"],
  ["Help", "help:dismiss=escape"],
  ["Tabs", "tabs:next=tab,right tabs:previous=shift+tab,left"],
  [
    "MessageSelector",
    `messageSelector:up=up,k,ctrl+p messageSelector:down=down,j,ctrl+n
     messageSelector:top=ctrl+up,shift+up,meta+up,K messageSelector:bottom=ctrl+down,shift+down,meta+down,J
     messageSelector:select=enter`
  ],
  ["ModelPicker", "modelPicker:decreaseEffort=left modelPicker:increaseEffort=right modelPicker:thisSessionOnly=s"],
  ["Select", "select:next=down,j,ctrl+n select:previous=up,k,ctrl+p select:accept=enter select:cancel=escape"],
  [
    "Scroll",
    `scroll:pageUp=pageup scroll:pageDown=pagedown scroll:top=ctrl+home scroll:bottom=ctrl+end scroll:lineUp=-
     scroll:lineDown=- scroll:halfPageUp=- scroll:halfPageDown=- scroll:fullPageUp=- scroll:fullPageDown=-
     selection:copy=ctrl+shift+c,cmd+c selection:clear=- selection:extendLeft=shift+left
     selection:extendRight=shift+right selection:extendUp=shift+up selection:extendDown=shift+down
     selection:extendLineStart=shift+home selection:extendLineEnd=shift+end`
  ]
]

const INLINE: ReadonlyArray<readonly [ContextName, string]> = [
  ["Transcript", "transcript:toggleShowAll=ctrl+e"],
  [
    "HistorySearch",
    `historySearch:next=ctrl+r historySearch:accept=escape,tab historySearch:cancel=ctrl+c
     historySearch:execute=enter`
  ]
]

const cases = (table: ReadonlyArray<readonly [ContextName, string]>) =>
  table.flatMap(([context, list]) =>
    list.split(/\s+/).map((entry) => {
      const at = entry.indexOf("=")
      const keys = entry
        .slice(at + 1)
        .split(",")
        .filter((key) => key !== "-")
      return { context, id: entry.slice(0, at), keys: keys.map((key) => key.replace("_", " ")) }
    })
  )

/** Bindings of an action in a context, by their strokes. */
const boundStrokes = (keymap: Keymap, context: ContextName, id: string): ReadonlyArray<string> =>
  keymap.bindings.flatMap((binding) =>
    binding.context === context && binding.action === id ? [binding.strokes.join("")] : []
  )

const strokesOf = (key: string): string => {
  const reading = parseChord(key)
  return reading._tag === "Chord" ? reading.strokes.join("") : `unreadable: ${key}`
}

const check = (keymap: Keymap, { context, id, keys }: ReturnType<typeof cases>[number]) => {
  expect(isActionId(id) ? ACTIONS.get(id)?.contexts : undefined).toContain(context)
  const bound = boundStrokes(keymap, context, id)
  expect(bound).toEqual(expect.arrayContaining(keys.map(strokesOf)))
  if (keys.length === 0) expect(bound).toEqual([])
}

describe("the default keys", () => {
  it.each(cases(REQUIRED))("$context: $id", (required) => check(defaultKeymap(), required))

  it.each(cases(INLINE))("inline, $context: $id", (required) => check(defaultKeymap({ screen: "inline" }), required))

  it("have a table for every context", () => {
    expect(new Set(ACTION_TABLES.map(({ context }) => context))).toEqual(new Set(CONTEXT_NAMES))
  })

  it("can all be read", () => {
    for (const { context, rows, passes = [] } of ACTION_TABLES) {
      const keys = rows.flatMap((row) => [...row.keys, ...(row.windows ?? []), ...(row.wsl ?? [])])
      for (const key of [...keys, ...passes]) {
        expect(strokesIn(context, key, "\\"), `${context} ${key}`).not.toEqual([])
      }
    }
  })

  it("bind no key twice in one context", () => {
    for (const screen of ["fullscreen", "inline"] as const) {
      for (const { context, rows } of ACTION_TABLES) {
        const seen = new Map<string, string>()
        for (const row of rows) {
          for (const key of keysOf(row, { ...KEYMAP_DEFAULTS, screen })) {
            const strokes = strokesIn(context, key, "\\").join("")
            expect(seen.get(strokes) ?? row.id, `${context} ${key}`).toBe(row.id)
            seen.set(strokes, row.id)
          }
        }
      }
    }
  })

  it("follow the platform, the leader and the pager option", () => {
    const windows = defaultKeymap({ platform: "windows" })
    expect(boundStrokes(windows, "Chat", "chat:imagePaste")).toEqual(["<A-v>"])
    expect(boundStrokes(windows, "Chat", "chat:cycleMode")).toEqual(["<S-Tab>", "<A-m>"])
    expect(boundStrokes(defaultKeymap({ platform: "wsl" }), "Chat", "chat:imagePaste")).toEqual(["<C-v>", "<A-v>"])
    expect(boundStrokes(defaultKeymap(), "Transcript", "transcript:retry")).toEqual(["\\r"])
    expect(boundStrokes(defaultKeymap({ leader: "<Space>" }), "Transcript", "transcript:retry")).toEqual([" r"])
    expect(boundStrokes(defaultKeymap({ pagerKeys: false }), "Transcript", "transcript:pagerDown")).toEqual([])
  })

  it("have a description for every action", () => {
    for (const { description } of ACTIONS.values()) expect(description).toMatch(/^\S.*\S$/)
  })
})
