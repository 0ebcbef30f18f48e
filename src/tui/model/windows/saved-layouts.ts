import { BUILT_IN } from "../../screen/layout/built-in.ts"
import { lasting, type LayoutChange, type StoredLayouts, type Trees } from "../../screen/layout/layout-file.ts"
import { defaultTree, isStoredClass, type SizeClass } from "../../screen/layout/size-class.ts"
import { isSameTree, type Leaf, leaf, leafId, leavesOf, mapLeaves, type Node, without } from "../../screen/layout/tree.ts"
import { restoreFocus, treeOf } from "./layout-and-focus.ts"
import { notify, withoutCommands, type Update } from "../update-result.ts"
import type { ExRequest } from "../ex-command.ts"
import { type AppModel, type LayoutModel, NEW_LAYOUT, sizeClass } from "../app-model.ts"

/** Arrangements that outlive the process, and those with a name. */

/** Transcripts of sessions that are not open make room. One that is left shows whatever session is in use. */
const forSessions = (tree: Node, { sessions, current }: AppModel): Node => {
  const gone = leavesOf(tree).filter(({ session }) => session !== undefined && !sessions.has(session))
  const others = leavesOf(tree).filter(({ pane }) => pane === "transcript").length - gone.length
  // The first one stays where it would be the last.
  const [stays] = others === 0 ? gone : []
  const rest = gone.reduce<Node>((left, each) => (each === stays ? left : (without(left, leafId(each)) ?? left)), tree)
  const isAlone = leavesOf(rest).filter(({ pane }) => pane === "transcript").length < 2
  const shown = (each: Leaf): Leaf => (isAlone ? leaf("transcript") : leaf("transcript", each.session ?? current))
  return mapLeaves(rest, (each) => (each.pane === "transcript" ? shown(each) : each))
}

const withTrees = (model: AppModel, trees: Trees): AppModel => ({
  ...model,
  layout: {
    ...NEW_LAYOUT,
    splitNext: model.layout.splitNext,
    trees: Object.fromEntries(Object.entries(trees).map(([name, tree]) => [name, forSessions(tree, model)]))
  }
})

/** What was read from the disk, before anything happened. */
export const layoutsLoaded = (model: AppModel, { classes, named }: StoredLayouts): AppModel => ({
  ...withTrees(model, classes),
  namedLayouts: named
})

/** The arrangement to come back to: a pane that is alone for a moment is none. */
const lastingTree = ({ trees, onlyFrom }: LayoutModel, name: SizeClass): Node | undefined => {
  const tree = onlyFrom?.sizeClass === name ? onlyFrom.tree : trees[name]
  return tree && lasting(tree)
}

const changedTrees = (before: LayoutModel, after: LayoutModel): LayoutChange["classes"] => {
  const names = new Set([...Object.keys(before.trees), ...Object.keys(after.trees)].filter(isStoredClass))
  const changed = [...names].flatMap((name) => {
    const tree = lastingTree(after, name)
    const isSame = tree !== undefined && isSameTree(tree, lastingTree(before, name) ?? defaultTree(name))
    return before.trees[name] === after.trees[name] || isSame ? [] : [[name, tree] as const]
  })
  return new Map(changed)
}

/** Another tab page has its own arrangement; turning to it changes none. */
const isSamePage = (before: AppModel, after: AppModel): boolean =>
  before.tab === after.tab && before.tabs.length === after.tabs.length

/** What a message changed in the arrangements that outlive the process. */
export const keepLayouts = (before: AppModel, after: AppModel): Update => {
  if (before.layout.trees === after.layout.trees && before.namedLayouts === after.namedLayouts) return withoutCommands(after)
  const isKept = after.options.interface === "fullscreen" && isSamePage(before, after)
  const classes: LayoutChange["classes"] = isKept ? changedTrees(before.layout, after.layout) : new Map()
  const names = new Set([...before.namedLayouts.keys(), ...after.namedLayouts.keys()])
  const named = new Map(
    [...names]
      .filter((name) => before.namedLayouts.get(name) !== after.namedLayouts.get(name))
      .map((name) => [name, after.namedLayouts.get(name)])
  )
  return classes.size + named.size === 0
    ? withoutCommands(after)
    : [after, [{ _tag: "KeepLayout", change: { classes, named } }]]
}

export const layoutNames = ({ namedLayouts }: AppModel): ReadonlyArray<string> => [
  ...BUILT_IN.keys(),
  ...[...namedLayouts.keys()].toSorted()
]

const fail = (model: AppModel, words: string): Update => withoutCommands(notify(model, words, { style: "error" }))

const take = (model: AppModel, name: string): Update => {
  const isOwn = model.namedLayouts.has(name)
  const trees = BUILT_IN.get(name) ?? model.namedLayouts.get(name)
  if (trees === undefined) return fail(model, `there is no layout ${name}; there are ${layoutNames(model).join(", ")}`)
  const taken = restoreFocus(withTrees(model, trees))
  const isMissing = isOwn && trees[sizeClass(model)] === undefined
  return withoutCommands(
    isMissing ? notify(taken, `layout ${name} has nothing for a screen of this size; :layout save ${name} adds it`) : taken
  )
}

const NAME = /^[\w.-]+$/

/** Screens of other sizes that the name knows already stay as they are, unless they were changed. */
const save = (model: AppModel, name: string): Update => {
  if (!NAME.test(name)) return fail(model, "say how to call it: :layout save NAME, of letters, digits, - and _")
  if (BUILT_IN.has(name)) return fail(model, `${name} is a layout that everybody has; choose another name`)
  const here = sizeClass(model)
  if (!isStoredClass(here)) return fail(model, "the screen is too small to arrange anything")
  const known = model.namedLayouts.get(name) ?? {}
  const trees: Trees = { ...known, ...model.layout.trees, [here]: treeOf(model) }
  const saved = { ...model, namedLayouts: new Map(model.namedLayouts).set(name, trees) }
  return withoutCommands(notify(saved, `saved layout ${name}; :layout ${name} brings it back`))
}

const forget = (model: AppModel, name: string): Update => {
  if (!model.namedLayouts.has(name)) return fail(model, `there is no layout ${name} of yours`)
  const namedLayouts = new Map(model.namedLayouts)
  namedLayouts.delete(name)
  return withoutCommands(notify({ ...model, namedLayouts }, `deleted layout ${name}`))
}

/** `:layout`, `:layout NAME`, `:layout save NAME`, `:layout delete NAME`. */
export const runLayout = (model: AppModel, { argument }: ExRequest): Update => {
  const [word = "", name = "", ...more] = argument.split(/\s+/)
  if (more.length > 0) return fail(model, "E488: too many words: :layout NAME, :layout save NAME, :layout delete NAME")
  if (word === "save") return save(model, name)
  if (word === "delete") return forget(model, name)
  if (word === "") return withoutCommands(notify(model, `layouts: ${layoutNames(model).join(", ")}`))
  return name === "" ? take(model, word) : fail(model, "E488: too many words: :layout NAME")
}
