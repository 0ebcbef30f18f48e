import { isRaw, type JsonObject } from "../../domain/json/json-object.ts"
import { isFileVariable } from "./settable-variables.ts"
import { type Capability, CAPABILITIES, SETTINGS_CAPABILITIES } from "./capability.ts"
import { entriesIn, type Entry } from "./entry.ts"

/** One file of the folder's own configuration, read as data. */
export interface FolderFile {
  /** Seen from the trusted folder, with slashes: `sub/.claude/settings.json`. */
  readonly path: string
  readonly kind: "settings" | "mcp"
  readonly value: JsonObject
  /** The user's own local file: neither in the repository's index nor behind a link. */
  readonly isOwn: boolean
}

/** One thing that a folder wants and that can run, redirect or loosen something. */
export interface CapabilityRequest {
  /** The same want has the same id in every reading of the folder. */
  readonly id: string
  readonly file: string
  readonly capability: string
  readonly heading: string
  readonly value: unknown
  /** Verbatim; whoever shows it makes control characters visible. */
  readonly text: string
  /** A variable that no folder may set: it is shown, but trust does not help it. */
  readonly isRefused: boolean
}

const memberOf = (value: unknown, key: string): unknown =>
  isRaw(value) && Object.hasOwn(value, key) ? value[key] : undefined

export const valueAt = (settings: JsonObject, name: string): unknown => name.split(".").reduce<unknown>(memberOf, settings)

export const isHarmless = ({ harmless }: Capability, value: unknown): boolean =>
  value === undefined || value === null || harmless?.includes(value) === true

const BARE_KEYS = new Set(["permissions.allow", "hooks", "env", "mcpServers"])

/** The key before the value, where the value alone does not say what it is for. */
const textOf = ({ name }: Capability, entry: Entry): string => (BARE_KEYS.has(name) ? entry.text : `${name}: ${entry.text}`)

export const wantId = (file: string, capability: string, { subject }: Entry): string =>
  subject === "" ? `${file} ${capability}` : `${file} ${capability} ${subject}`

const wantsIn = (file: FolderFile, capability: Capability): ReadonlyArray<CapabilityRequest> => {
  const value = valueAt(file.value, capability.name)
  if (isHarmless(capability, value)) return []
  return entriesIn(capability.shape, value).map((entry) => ({
    id: wantId(file.path, capability.name, entry),
    file: file.path,
    capability: capability.name,
    heading: capability.heading,
    value: entry.value,
    text: textOf(capability, entry),
    isRefused: capability.name === "env" && !isFileVariable(entry.subject, "projectSettings")
  }))
}

const MCP_CAPABILITIES = CAPABILITIES.filter(({ from }) => from === "mcp")

/** Everything the files want, in the order of the table. */
export const wantsOf = (files: ReadonlyArray<FolderFile>): ReadonlyArray<CapabilityRequest> =>
  files.flatMap((file) =>
    (file.kind === "mcp" ? MCP_CAPABILITIES : SETTINGS_CAPABILITIES).flatMap((capability) => wantsIn(file, capability))
  )

export interface WantGroup {
  readonly heading: string
  readonly wants: ReadonlyArray<CapabilityRequest>
}

/** Under their headings, in the order in which the headings first appear. */
export const groupWants = (wants: ReadonlyArray<CapabilityRequest>): ReadonlyArray<WantGroup> =>
  [...new Set(wants.map(({ heading }) => heading))].map((heading) => ({
    heading,
    wants: wants.filter((want) => want.heading === heading)
  }))
