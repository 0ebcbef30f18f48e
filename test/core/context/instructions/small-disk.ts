import { readInstructionBytes } from "../../../../src/core/context/instructions/read-text.ts"
import type { SearchPlace } from "../../../../src/core/context/instructions/place.ts"
import type { Answers, Done, Entry, Step, Wants } from "../../../../src/core/context/instructions/search.ts"
import type { Presence } from "../../../../src/core/domain/path/presence.ts"
import { normalise, parentOf } from "../../../../src/core/domain/path/path-text.ts"

/** A file system in memory: texts, links, and directories that follow from both. */
export interface Node {
  readonly text?: string
  readonly bytes?: Uint8Array
  readonly link?: string
  /** Another name of this file. */
  readonly sameAs?: string
  readonly owner?: number
}

export type Disk = Readonly<Record<string, string | Node>>

export interface SmallDisk {
  readonly answer: (wants: Wants) => Answers
  /** Real paths whose bytes or entries were asked for. */
  readonly opened: Set<string>
  /** Paths that were only looked at. */
  readonly looked: Set<string>
}

const MOST_LINKS = 40

export const smallDisk = (
  disk: Disk,
  order: (entries: ReadonlyArray<Entry>) => ReadonlyArray<Entry> = (e) => e
): SmallDisk => {
  const nodes = new Map(Object.entries(disk).map(([path, node]) => [path, typeof node === "string" ? { text: node } : node]))
  const directories = new Set<string>(["/"])
  for (const path of nodes.keys()) {
    for (let at = parentOf(path); at !== "/"; at = parentOf(at)) directories.add(at)
  }
  const real = (path: string, left = { links: MOST_LINKS }): string | undefined => {
    let at = ""
    for (const name of normalise(path).split("/").slice(1).filter(Boolean)) {
      const next = `${at}/${name}`
      const link = nodes.get(next)?.link
      if (link === undefined) at = next
      else if (left.links-- <= 0) return undefined
      else {
        const target = real(link.startsWith("/") ? link : `${at}/${link}`, left)
        if (target === undefined) return undefined
        at = target === "/" ? "" : target
      }
    }
    return at === "" ? "/" : at
  }
  const bytesOf = (path: string): Uint8Array | undefined => {
    const node = nodes.get(path)
    if (node?.sameAs !== undefined) return bytesOf(node.sameAs)
    return node?.bytes ?? (node?.text === undefined ? undefined : new TextEncoder().encode(node.text))
  }
  const present = (path: string): Presence | undefined => {
    const realPath = real(path)
    if (realPath === undefined) return undefined
    const node = nodes.get(realPath)
    const isDirectory = directories.has(realPath)
    if (node === undefined && !isDirectory) return undefined
    return {
      path,
      realPath,
      kind: isDirectory ? "directory" : "file",
      size: bytesOf(realPath)?.length ?? 0,
      mtimeMs: 0,
      identity: node?.sameAs ?? realPath,
      owner: node?.owner ?? 1
    }
  }
  const entriesOf = (directory: string): ReadonlyArray<Entry> => {
    const children = [...nodes.keys(), ...directories].filter((path) => path !== "/" && parentOf(path) === directory)
    return [...new Set(children)].map((path) => {
      const kind = directories.has(path) ? "directory" : nodes.get(path)?.link === undefined ? "file" : "link"
      return { name: path.slice(path.lastIndexOf("/") + 1), kind }
    })
  }
  const opened = new Set<string>()
  const looked = new Set<string>()
  return {
    opened,
    looked,
    answer: ({ present: paths, entries, bytes }) => {
      for (const path of paths) looked.add(path)
      for (const { realPath } of [...entries, ...bytes]) opened.add(realPath)
      return {
        present: new Map(paths.map((path) => [path, present(path)])),
        entries: new Map(entries.map(({ realPath }) => [realPath, order(entriesOf(realPath))])),
        bytes: new Map(bytes.map(({ realPath }) => [realPath, bytesOf(realPath)]))
      }
    }
  }
}

/** Runs a search to its end; it fails when that takes more rounds than any search may. */
export const finish = (step: Step, answer: SmallDisk["answer"], mostRounds = 60): Done => {
  let current = step
  for (let round = 0; current._tag === "Wants"; round++) {
    if (round > mostRounds) throw new Error("the search does not end")
    current = current.next(answer(current))
  }
  return current
}

export const HOME = "/home/ann"
export const CWD = "/home/ann/work"

export const placeOf = (over: Partial<SearchPlace> = {}): SearchPlace => ({
  cwd: CWD,
  home: HOME,
  configHome: `${HOME}/.claude`,
  managedDirectory: "/etc/claude-code",
  searched: [],
  roots: [over.cwd ?? CWD],
  sources: new Set(["user", "project", "local"] as const),
  isOff: false,
  excludes: [],
  agentsMd: "fallback",
  extraNames: [],
  owners: new Set([0, 1]),
  approved: new Set<string>(),
  isRestricted: false,
  isSecret: (path) => path.includes("/.ssh/"),
  ...over
})

export const importsOf = (text: string): ReadonlyArray<string> =>
  readInstructionBytes(new TextEncoder().encode(text))?.imports ?? []
