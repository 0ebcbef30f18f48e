import { parentOf } from "../../../src/core/domain/path/path-components.ts"
import type { Place, PlaceKind, Repository, SandboxFacts, SandboxRequest } from "../../../src/core/sandbox/guarded-paths.ts"
import { pathsToLookAt } from "../../../src/core/sandbox/guarded-paths.ts"
import { SANDBOX_OFF, type SandboxSettings } from "../../../src/core/sandbox/settings.ts"

/** A request about /work/app with home /home/me, and a file system as a list of what is there. */
export const requestWith = (
  changes: Partial<SandboxRequest> = {},
  filesystem: Partial<SandboxSettings["filesystem"]> = {}
): SandboxRequest => ({
  settings: { ...SANDBOX_OFF, enabled: true, filesystem: { ...SANDBOX_OFF.filesystem, ...filesystem } },
  profile: "workspace",
  workingDirs: ["/work/app"],
  home: "/home/me",
  configHome: "/home/me/.claude",
  tempDir: "/tmp/nacre-1/tmp",
  editable: [],
  uneditable: [],
  unreadable: [],
  allowedHosts: [],
  deniedHosts: [],
  unknownHosts: "deny",
  networkless: false,
  ...changes
})

export type Entries = Readonly<Record<string, PlaceKind>>

const firstMissing = (entries: Entries, path: string): string => {
  const parent = parentOf(path)
  return parent === "/" || entries[parent] !== undefined ? path : firstMissing(entries, parent)
}

const placeOf = (entries: Entries, path: string): Place => {
  const kind = entries[path] ?? "missing"
  return { path, kind, realPath: kind === "missing" ? firstMissing(entries, path) : path }
}

/** Directories above every entry exist too. */
const withParents = (entries: Entries): Entries => {
  const all: Record<string, PlaceKind> = { ...entries }
  for (const path of Object.keys(entries)) {
    for (let up = parentOf(path); up !== "/"; up = parentOf(up)) all[up] ??= "directory"
  }
  return all
}

export interface World {
  readonly entries: Entries
  readonly found?: ReadonlyArray<string>
  readonly repositories?: ReadonlyArray<Repository>
  readonly nested?: ReadonlyArray<string>
  readonly secretFiles?: ReadonlyArray<string>
}

export const factsOf = (request: SandboxRequest, world: World): SandboxFacts => {
  const entries = withParents({
    ...world.entries,
    ...Object.fromEntries(
      [...request.workingDirs, request.home, request.tempDir].map((path) => [path, "directory" as const])
    )
  })
  const git = { repositories: world.repositories ?? [], nested: world.nested ?? [] }
  return {
    places: new Map(pathsToLookAt(request, git).map((path) => [path, placeOf(entries, path)])),
    found: (world.found ?? []).map((path) => placeOf(entries, path)),
    ...git,
    secretFiles: world.secretFiles ?? [],
    unsearched: []
  }
}
