import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { BUILT_IN } from "../../../../src/tui/screen/layout/built-in.ts"
import {
  changedLayouts,
  lasting,
  type LayoutChange,
  readLayouts,
  type StoredLayouts
} from "../../../../src/tui/screen/layout/layout-file.ts"
import {
  column,
  leaf,
  leafId,
  leavesOf,
  type Node,
  PANE_IDS,
  type PaneId,
  row
} from "../../../../src/tui/screen/layout/tree.ts"

const MAIN = column(800, leaf("transcript"), leaf("prompt"))

const read = (text: string): StoredLayouts => {
  const reading = readLayouts(text)
  if ("problem" in reading) throw new Error(reading.problem.message)
  return reading.layouts
}

const fileWith = (tree: string): string => `{"version":1,"classes":{"normal":${tree}}}`
const namesOf = (tree: Node | undefined): ReadonlyArray<string> => (tree === undefined ? [] : leavesOf(tree).map(leafId))

/** Any split of some panes, transcript and prompt among them. */
const trees: fc.Arbitrary<Node> = fc
  .tuple(fc.subarray(PANE_IDS.filter((pane) => pane !== "transcript" && pane !== "prompt")), fc.infiniteStream(fc.nat(998)))
  .map(([others, random]) => {
    const next = (): number => random.next().value ?? 0
    const build = (panes: ReadonlyArray<PaneId>): Node => {
      const [first = "transcript"] = panes
      if (panes.length < 2) return leaf(first)
      const cut = 1 + (next() % (panes.length - 1))
      return {
        dir: next() % 2 === 0 ? "row" : "column",
        ratio: 1 + next(),
        a: build(panes.slice(0, cut)),
        b: build(panes.slice(cut))
      }
    }
    return build(["transcript", ...others, "prompt"])
  })

describe("layout.json", () => {
  it("gives back every arrangement that was written", () => {
    fc.assert(
      fc.property(trees, trees, (tree, named) => {
        const change: LayoutChange = { classes: new Map([["wide", tree]]), named: new Map([["mine", { tiny: named }]]) }
        const { classes, named: back } = read(changedLayouts(undefined, change))
        expect(classes).toEqual({ wide: tree })
        expect(back.get("mine")).toEqual({ tiny: named })
      })
    )
  })

  it("has the form that is promised", () => {
    const tree = row(
      700,
      column(800, leaf("transcript", "11111111-2222-4333-8444-555555555555"), leaf("prompt")),
      leaf("files")
    )
    const text = changedLayouts(undefined, { classes: new Map([["normal", tree]]), named: new Map() })
    expect(JSON.parse(text)).toEqual({
      version: 1,
      classes: {
        normal: {
          dir: "row",
          ratio: 700,
          a: {
            dir: "column",
            ratio: 800,
            a: { pane: "transcript", session: "11111111-2222-4333-8444-555555555555" },
            b: { pane: "prompt" }
          },
          b: { pane: "files" }
        }
      },
      named: {},
      zoom: null
    })
  })

  it("changes what is told and leaves the rest, also what it does not know", () => {
    const old =
      '{"version":1,"new":[1],"classes":{"wide":{"pane":"transcript"},"giant":{"pane":"x"},"tiny":{"pane":"prompt"}},"named":{"a":{}}}'
    const text = changedLayouts(old, {
      classes: new Map([
        ["wide", undefined],
        ["normal", MAIN]
      ]),
      named: new Map([
        ["b", {}],
        ["a", undefined]
      ])
    })
    expect(JSON.parse(text)).toMatchObject({
      new: [1],
      classes: { giant: { pane: "x" }, tiny: { pane: "prompt" } },
      named: { b: {} }
    })
    expect(Object.keys(read(text).classes).toSorted()).toEqual(["normal", "tiny"])
  })

  it.each<readonly [what: string, tree: string, panes: ReadonlyArray<string>]>([
    [
      "an unknown pane",
      '{"dir":"row","ratio":500,"a":{"dir":"column","ratio":800,"a":{"pane":"transcript"},"b":{"pane":"prompt"}},"b":{"pane":"browser"}}',
      ["transcript", "prompt"]
    ],
    ["nothing but unknown panes", '{"pane":"browser"}', []],
    ["no prompt", '{"pane":"transcript"}', ["transcript", "prompt"]],
    [
      "no transcript",
      '{"dir":"row","ratio":1,"a":{"pane":"files"},"b":{"pane":"prompt"}}',
      ["files", "transcript", "prompt"]
    ],
    ["neither", '{"pane":"files"}', ["files", "transcript", "prompt"]],
    [
      "a pane twice",
      '{"dir":"row","ratio":999,"a":{"pane":"files"},"b":{"pane":"files"}}',
      ["files", "transcript", "prompt"]
    ],
    ["the session in use", '{"pane":"transcript","session":"current"}', ["transcript", "prompt"]]
  ])("can be worked with after %s", (_, tree, panes) => {
    expect(namesOf(read(fileWith(tree)).classes.normal)).toEqual(panes)
  })

  it.each<readonly [text: string, place: string, words: string]>([
    ["", "1:1", "not JSON"],
    ['{"version":1,\n"classes": {"normal": }}', "2:23", "not JSON"],
    ["[]", "1:1", "the file must be an object"],
    ['{"version":2}', "1:12", '"version": 1'],
    ['{"classes":{}}', "1:1", '"version": 1'],
    [fileWith('{"dir":"up"}'), "1:41", '"dir"'],
    [fileWith('{"dir":"row","ratio":1000,"a":{"pane":"files"},"b":{"pane":"files"}}'), "1:55", '"ratio"'],
    [fileWith('{"dir":"row","ratio":1.5,"a":{"pane":"files"},"b":{"pane":"files"}}'), "1:55", '"ratio"'],
    [fileWith('{"dir":"row","ratio":1,"a":{"pane":"files"}}'), "1:34", '"a" and "b"'],
    [fileWith('{"pane":7}'), "1:42", '"pane"'],
    [fileWith('{"pane":"transcript","session":null}'), "1:65", '"session"'],
    ['{"version":1,"named":[]}', "1:22", '"named"']
  ])("%s is wrong at %s", (text, place, words) => {
    const reading = readLayouts(text)
    const problem = "problem" in reading ? reading.problem : undefined
    expect(`${problem?.line}:${problem?.column}`).toBe(place)
    expect(problem?.message).toContain(words)
  })

  it("reads any text without breaking", () => {
    fc.assert(fc.property(fc.oneof(fc.string(), fc.json()), (text) => void readLayouts(text)))
  })

  it("keeps no output of one call and no half-made split", () => {
    expect(lasting(row(500, MAIN, column(500, leaf("output"), leaf("chooser"))))).toEqual(MAIN)
    expect(lasting(leaf("output"))).toBeUndefined()
  })

  it("has built-in arrangements that hold transcript and prompt", () => {
    for (const trees of BUILT_IN.values()) {
      for (const tree of Object.values(trees))
        expect(namesOf(tree)).toEqual(expect.arrayContaining(["transcript", "prompt"]))
    }
  })
})
