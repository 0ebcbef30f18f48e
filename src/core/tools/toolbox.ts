import { editDistance } from "../domain/text/edit-distance.ts"
import type { ToolDefinition } from "../model/request/model-request.ts"
import { BUILT_IN_TOOLS } from "./built-in-tools.ts"
import type { AnyTool } from "./contract/any-tool.ts"
import { STRUCTURED_OUTPUT } from "./conversation/structured-output.ts"
import { type ToolEntry, toolOf } from "./tool-entry.ts"

export const SHELL_TOOL = "Bash"

/** The tools of a conversation, in code-point order: the same set always gives the same bytes. */
export interface Toolbox {
  readonly entries: ReadonlyArray<ToolEntry>
  /** As requests hold them. */
  readonly definitions: ReadonlyArray<ToolDefinition>
}

const byName = ({ definition: { name: left } }: ToolEntry, { definition: { name: right } }: ToolEntry): number =>
  left < right ? -1 : left > right ? 1 : 0

export const makeToolbox = (entries: ReadonlyArray<ToolEntry>): Toolbox => {
  const inOrder = entries.toSorted(byName)
  return { entries: inOrder, definitions: inOrder.map(({ definition }) => definition) }
}

const areEqual = (left: unknown, right: unknown): boolean => JSON.stringify(left) === JSON.stringify(right)

/** The toolbox as it was while the tools are: the part of a request that is cached hangs on it. */
export const withTools = (toolbox: Toolbox, entries: ReadonlyArray<ToolEntry>): Toolbox => {
  const next = makeToolbox(entries)
  return areEqual(next.entries, toolbox.entries) ? toolbox : next
}

/** The tool a call names, by name or alias, if the model was offered it. */
export const toolFor = ({ entries }: Toolbox, name: string): AnyTool | undefined => {
  const entry =
    entries.find(({ definition }) => definition.name === name) ?? entries.find((each) => toolOf(each).aliases.includes(name))
  return entry === undefined ? undefined : toolOf(entry)
}

/** Offered names that a misspelt one may have meant. */
export const nearestTools = ({ definitions }: Toolbox, name: string): ReadonlyArray<string> =>
  definitions
    .map((tool) => ({ name: tool.name, far: editDistance(name.toLowerCase(), tool.name.toLowerCase()) }))
    .filter((candidate) => candidate.far <= Math.max(2, Math.floor(name.length / 3)))
    .sort((left, right) => left.far - right.far)
    .slice(0, 3)
    .map((candidate) => candidate.name)

const isNamed = ({ name, aliases }: AnyTool, names: ReadonlyArray<string>): boolean =>
  [name, ...aliases].some((each) => names.includes(each))

/** Names among those wanted that no tool has. Tools of servers are not known beforehand. */
export const unknownTools = (names: ReadonlyArray<string>): ReadonlyArray<string> =>
  names.filter(
    (name) =>
      name !== STRUCTURED_OUTPUT && !name.startsWith("mcp__") && !BUILT_IN_TOOLS.some((tool) => isNamed(tool, [name]))
  )

export interface Offer {
  /** Somebody can answer questions. */
  readonly interactive: boolean
  /** The program itself is under test. */
  readonly testing: boolean
  /** `--tools`: of the program's own only these, when given. */
  readonly only: ReadonlyArray<string> | undefined
  /** Whether a whole-tool deny rule takes the tool away. */
  readonly isDenied: (tool: Pick<AnyTool, "name" | "aliases">) => boolean
}

const isOffered = (entry: ToolEntry, { interactive, testing, only, isDenied }: Offer): boolean => {
  const tool = toolOf(entry)
  switch (entry.source._tag) {
    case "Schema":
      return true
    case "Server":
      return !isDenied(tool)
    case "BuiltIn":
      return (
        !isDenied(tool) &&
        (tool.offered !== "interactive" || interactive) &&
        (tool.offered !== "testing" || testing) &&
        (only === undefined || isNamed(tool, only))
      )
  }
}

/** Of all tools that there are, those that a conversation gets. */
export const offered = (entries: ReadonlyArray<ToolEntry>, offer: Offer): ReadonlyArray<ToolEntry> =>
  entries.filter((entry) => isOffered(entry, offer))
