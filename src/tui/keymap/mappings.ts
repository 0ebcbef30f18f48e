import { formatStrokes, parseStrokes, type Stroke } from "./stroke.ts"

/**
 * Keys that stand for other keys: `:nmap`, `:imap` and the like. What a mapping types is never mapped again, so that no
 * mapping can run for ever and a key may be swapped with another.
 */

/** Normal state of the prompt and the panes; selecting; typing in the prompt; the command and search line. */
export type MapMode = "n" | "v" | "i" | "c"

export interface Mapping {
  readonly mode: MapMode
  readonly from: ReadonlyArray<Stroke>
  readonly to: ReadonlyArray<Stroke>
}

export type Mappings = ReadonlyArray<Mapping>

/** The modes that each command speaks of, by what stands before `map`; `:map!` is for typing. */
const MODES: Readonly<Record<string, ReadonlyArray<MapMode>>> = {
  "": ["n", "v"],
  "!": ["i", "c"],
  n: ["n"],
  v: ["v"],
  x: ["v"],
  i: ["i"],
  c: ["c"]
}

export interface MapCommand {
  readonly kind: "map" | "unmap" | "clear"
  readonly modes: ReadonlyArray<MapMode>
}

const COMMAND = /^([nvxic]?)(map|noremap|unmap|mapclear)$/

/** `nmap`, `inoremap`, `unmap` and so on; undefined for any other command. */
export const mapCommand = (name: string, bang: boolean): MapCommand | undefined => {
  const [, letter = "", verb] = COMMAND.exec(name) ?? []
  const modes = MODES[letter === "" && bang ? "!" : letter]
  if (verb === undefined || modes === undefined || (bang && letter !== "")) return undefined
  return { kind: verb === "unmap" ? "unmap" : verb === "mapclear" ? "clear" : "map", modes }
}

/** All names, for completion. */
export const MAP_COMMANDS: ReadonlyArray<string> = ["", "n", "v", "x", "i", "c"].flatMap((letter) =>
  ["map", "noremap", "unmap", "mapclear"].map((verb) => letter + verb)
)

/** What vim says before the keys and what has no meaning here; the others are refused. */
const HARMLESS = /^(?:<(?:silent|nowait|buffer|unique)>\s*)+/i
const REFUSED = /^<(?:expr|script|plug|sid)>/i

export interface MapArgument {
  readonly from: ReadonlyArray<Stroke>
  /** Absent: only what is there is asked for. */
  readonly to: ReadonlyArray<Stroke> | undefined
}

export const readMapArgument = (text: string, leader: string): MapArgument | { readonly problem: string } => {
  const rest = text
    .trim()
    .replace(HARMLESS, "")
    .replaceAll(/<leader>/gi, () => (leader === " " ? "<Space>" : leader))
  if (REFUSED.test(rest)) return { problem: `${rest.slice(0, rest.indexOf(">") + 1)} is not understood here` }
  const [, keys = "", means] = /^(\S+)(?:\s+([\s\S]+))?$/.exec(rest) ?? []
  const from = parseStrokes(keys)
  if (from.includes("<C-c>")) return { problem: "<C-c> cannot be mapped: it always interrupts" }
  return { from, to: means === undefined ? undefined : /^<nop>$/i.test(means) ? [] : parseStrokes(means) }
}

const isSame = (left: ReadonlyArray<Stroke>, right: ReadonlyArray<Stroke>): boolean =>
  left.length === right.length && left.every((stroke, at) => stroke === right[at])

const startsWith = (strokes: ReadonlyArray<Stroke>, prefix: ReadonlyArray<Stroke>): boolean =>
  strokes.length >= prefix.length && isSame(strokes.slice(0, prefix.length), prefix)

export const withoutMapping = (
  mappings: Mappings,
  { modes, from }: { readonly modes: ReadonlyArray<MapMode>; readonly from: ReadonlyArray<Stroke> }
): Mappings => mappings.filter((each) => !(modes.includes(each.mode) && isSame(each.from, from)))

export const withMapping = (
  mappings: Mappings,
  { modes, from, to }: Omit<Mapping, "mode"> & { readonly modes: ReadonlyArray<MapMode> }
): Mappings => [...withoutMapping(mappings, { modes, from }), ...modes.map((mode) => ({ mode, from, to }))]

export const withoutModes = (mappings: Mappings, modes: ReadonlyArray<MapMode>): Mappings =>
  mappings.filter(({ mode }) => !modes.includes(mode))

/** One line for each, by mode and keys; those that begin with the given keys. */
export const mappingLines = (
  mappings: Mappings,
  { modes, from }: { readonly modes: ReadonlyArray<MapMode>; readonly from: ReadonlyArray<Stroke> }
): ReadonlyArray<string> => {
  const shown = mappings.filter((each) => modes.includes(each.mode) && startsWith(each.from, from))
  const width = Math.max(0, ...shown.map((each) => formatStrokes(each.from).length))
  return shown
    .map(
      ({ mode, from: keys, to }) =>
        `${mode}  ${formatStrokes(keys).padEnd(width)}  ${to.length === 0 ? "<Nop>" : formatStrokes(to)}`
    )
    .toSorted()
}

/** What strokes that were typed so far come to. */
export type MapReading =
  /** More keys could make a mapping of them. */
  | { readonly _tag: "Waits" }
  /** The first strokes are typed as these; the rest is read again. */
  | {
      readonly _tag: "Means"
      readonly strokes: ReadonlyArray<Stroke>
      readonly rest: ReadonlyArray<Stroke>
      readonly mapped: boolean
    }

/** `isLate`: nothing more came in time, so that what could go on does not. */
export const readMapped = (
  mappings: Mappings,
  mode: MapMode,
  at: { readonly typed: ReadonlyArray<Stroke>; readonly isLate: boolean }
): MapReading => {
  const { typed } = at
  const here = mappings.filter((each) => each.mode === mode)
  if (!at.isLate && here.some(({ from }) => from.length > typed.length && startsWith(from, typed))) return { _tag: "Waits" }
  const whole = here
    .filter(({ from }) => startsWith(typed, from))
    .reduce<Mapping | undefined>((best, each) => (each.from.length > (best?.from.length ?? 0) ? each : best), undefined)
  return whole === undefined
    ? { _tag: "Means", strokes: typed.slice(0, 1), rest: typed.slice(1), mapped: false }
    : { _tag: "Means", strokes: whole.to, rest: typed.slice(whole.from.length), mapped: true }
}
