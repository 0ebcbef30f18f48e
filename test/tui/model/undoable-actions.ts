import * as fc from "fast-check"
import { performAll, SteppedAgent } from "../../support/tui-agent.ts"
import { OTHER_SESSION, SESSION, TuiWorld, type WorldOptions } from "../../support/tui-world.ts"

type MouseAction = "press" | "release" | "drag" | "wheel"

/** What can happen to the interface, in any order. */
export type Deed =
  | { readonly _tag: "Keys"; readonly keys: string }
  | { readonly _tag: "Paste"; readonly text: string }
  | { readonly _tag: "Mouse"; readonly action: MouseAction; readonly x: number; readonly y: number }
  | { readonly _tag: "Resize"; readonly columns: number; readonly rows: number }
  | { readonly _tag: "Wait"; readonly ms: number }
  | { readonly _tag: "Agent"; readonly session: string; readonly choice: number }

/** Whole commands, so that runs get somewhere, and single keys, so that they get everywhere. */
const VOCABULARY = [
  "a",
  "y",
  "n",
  "1",
  "2",
  "3",
  "e",
  "G",
  "gg",
  "j",
  "k",
  "q",
  "i",
  "v",
  "V",
  "o",
  "zo",
  "zc",
  "za",
  "zM",
  "zR",
  "5",
  "/",
  "?",
  ":",
  "\\",
  "K",
  "u",
  "d",
  "P",
  "]m",
  "[m",
  "]t",
  "}",
  "{",
  "yy",
  "yim",
  "ma",
  "'a",
  "n",
  "N",
  "*",
  "<C-w>",
  "<C-w>z",
  "<C-w>v",
  "<C-w>s",
  "<C-w>c",
  "<C-w>o",
  "<C-w>w",
  "<C-w>d",
  "<C-w>Q",
  "<C-w>]",
  "<C-x>o",
  "<C-x><C-w>h",
  "<C-x><C-w>k",
  "<C-x><C-w>z",
  "<C-x><C-w>g",
  "<C-x><C-p>",
  "<F1>",
  "<F6>",
  "<S-F6>",
  "<Esc>",
  "<Esc><Esc>",
  "<CR>",
  "<Tab>",
  "<S-Tab>",
  "<BS>",
  "<Del>",
  "<Up>",
  "<Down>",
  "<Left>",
  "<Right>",
  "<Home>",
  "<End>",
  "<PageUp>",
  "<PageDown>",
  "<C-c>",
  "<C-d>",
  "<C-u>",
  "<C-e>",
  "<C-n>",
  "<C-p>",
  "<C-o>",
  "<C-r>",
  "<C-t>",
  "<C-s>",
  "<C-j>",
  "<A-p>",
  "hello<CR>",
  "/theme<CR>",
  "/model<CR>",
  "/resume<CR>",
  "/rewind<CR>",
  "/help<CR>",
  "/vim<CR>",
  "!ls<CR>",
  "@src",
  "/wo<CR>",
  ":set view=verbose<CR>",
  ":q<CR>",
  ":foo<CR>",
  "漢",
  "🚀",
  "e\u0301"
]

const tagged = <const Tag extends Deed["_tag"]>(tag: Tag) => fc.constant(tag)

const deed: fc.Arbitrary<Deed> = fc.oneof(
  { weight: 8, arbitrary: fc.record({ _tag: tagged("Keys"), keys: fc.constantFrom(...VOCABULARY) }) },
  {
    weight: 6,
    arbitrary: fc.record({
      _tag: tagged("Agent"),
      session: fc.constantFrom(SESSION, SESSION, OTHER_SESSION),
      choice: fc.nat(99)
    })
  },
  { weight: 2, arbitrary: fc.record({ _tag: tagged("Wait"), ms: fc.constantFrom(1, 100, 800, 1_500, 20_000) }) },
  {
    weight: 1,
    arbitrary: fc.record({
      _tag: tagged("Paste"),
      text: fc.constantFrom("y", "yes\n1\n", "one\ntwo\nthree\nfour", "!ls", "漢字\u001B[31m")
    })
  },
  {
    weight: 1,
    arbitrary: fc.record({
      _tag: tagged("Mouse"),
      action: fc.constantFrom<MouseAction>("press", "release", "drag", "wheel"),
      x: fc.nat(200),
      y: fc.nat(60)
    })
  },
  {
    weight: 1,
    arbitrary: fc.record({
      _tag: tagged("Resize"),
      columns: fc.oneof(fc.integer({ min: 1, max: 200 }), fc.constantFrom(40, 80, 120, 160)),
      rows: fc.oneof(fc.integer({ min: 1, max: 60 }), fc.constantFrom(12, 24, 40, 45))
    })
  }
)

export const someDeeds = (maxLength: number): fc.Arbitrary<ReadonlyArray<Deed>> =>
  fc.array(deed, { minLength: 1, maxLength, size: "max" })

/** A user, two sessions, and the agents in them. */
export class Play {
  readonly world: TuiWorld
  readonly agents: ReadonlyMap<string, SteppedAgent>

  constructor(options: WorldOptions = {}) {
    this.world = new TuiWorld(options)
    const agentOf = (id: string) => new SteppedAgent(this.world.open(id, { seed: id, config: { sessionId: id } }))
    this.agents = new Map([OTHER_SESSION, SESSION].map((id) => [id, agentOf(id)] as const))
  }

  do(deed: Deed): void {
    const { world } = this
    const before = world.cmds.length
    switch (deed._tag) {
      case "Keys":
        world.keys(deed.keys)
        break
      case "Paste":
        world.paste(deed.text)
        break
      case "Mouse": {
        const button = deed.action === "wheel" ? (deed.x % 2 === 0 ? "wheelUp" : "wheelDown") : "left"
        world.mouse(deed.action, button, { column: deed.x, row: deed.y })
        break
      }
      case "Resize":
        world.resize(deed.columns, deed.rows)
        break
      case "Wait":
        world.wait(deed.ms)
        break
      case "Agent":
        this.agents.get(deed.session)?.advance(deed.choice)
        break
    }
    performAll(world, this.agents, before)
  }
}
