import {
  type MapCommand,
  mapCommand,
  mappingLines,
  readMapArgument,
  withMapping,
  withoutMapping,
  withoutModes
} from "../../keymap/mappings.ts"
import { formatStrokes } from "../../keymap/stroke.ts"
import { notify, withoutCommands, type Update } from "../../model/update-result.ts"
import type { AppModel } from "../../model/app-model.ts"
import { openOverlay } from "../../model/open-overlay.ts"

/** `:map` and the like: keys of the user's own, for as long as the program runs. */

const leaderOf = ({ keys }: AppModel): string =>
  keys.keymap.bindings.find(({ action, source }) => action === "transcript:fork" && source === "default")?.strokes[0] ?? "\\"

const withMaps = (model: AppModel, mappings: AppModel["keys"]["mappings"]): AppModel => ({
  ...model,
  keys: { ...model.keys, mappings }
})

const fail = (model: AppModel, words: string): Update => withoutCommands(notify(model, words, { style: "error" }))

const listed = (model: AppModel, { modes }: MapCommand, from: ReadonlyArray<string>): Update => {
  const lines = mappingLines(model.keys.mappings, { modes, from })
  return lines.length === 0
    ? withoutCommands(notify(model, "no mapping found"))
    : withoutCommands(openOverlay(model, { _tag: "Listing", title: "mappings", lines, top: 0 }))
}

const run = (model: AppModel, command: MapCommand, argument: string): Update => {
  const { kind, modes } = command
  const { mappings } = model.keys
  if (kind === "clear") return withoutCommands(withMaps(model, withoutModes(mappings, modes)))
  const read = readMapArgument(argument, leaderOf(model))
  if ("problem" in read) return fail(model, `E474: ${read.problem}`)
  const { from, to } = read
  if (kind === "map" && to !== undefined) return withoutCommands(withMaps(model, withMapping(mappings, { modes, from, to })))
  if (kind === "map") return listed(model, command, from)
  if (from.length === 0 || to !== undefined) return fail(model, "E474: say which: :unmap KEYS")
  const rest = withoutMapping(mappings, { modes, from })
  return rest.length === mappings.length
    ? fail(model, `E31: no such mapping: ${formatStrokes(from)}`)
    : withoutCommands(withMaps(model, rest))
}

export const runMapCommand = (
  model: AppModel,
  name: string,
  request: { readonly bang: boolean; readonly argument: string }
): Update => {
  const command = mapCommand(name, request.bang)
  return command === undefined ? fail(model, `E477: :${name} takes no !`) : run(model, command, request.argument)
}
