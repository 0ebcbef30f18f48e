import { isInsideAny, parentOf } from "../../domain/path/path-components.ts"
import type { Presence } from "../../domain/path/presence.ts"
import { importTarget, isTextName, looksLikeMention } from "./imports.ts"
import type { InstructionFile, InstructionKind, LoadReason } from "./instruction-file.ts"
import type { PathRule } from "./path-rules.ts"
import { excluder, isApproved, type SearchPlace } from "./place.ts"
import { type InstructionText, readInstructionText } from "./read-text.ts"
import type { Found, Skipped, World } from "./search.ts"

/** Imports of imports are followed this often. */
export const MOST_HOPS = 4
/** A larger file is not read. */
export const MOST_BYTES = 4 * 1024 * 1024

export interface Source {
  readonly kind: InstructionKind
  readonly reason: LoadReason
  /** A directory whose own files belong to it, even above the project. */
  readonly own: string
  readonly trigger?: string | undefined
  /** The directory that patterns of a rule are seen from; absent where patterns mean nothing. */
  readonly base?: string
}

interface Import extends Source {
  readonly parent?: string
  readonly hops: number
}

interface Waiting {
  readonly path: string
  readonly patterns: ReadonlyArray<string>
  readonly base: string
  readonly source: Source
  readonly text: InstructionText
}

/** What was found by its identity, so that each file counts once. */
type Seen = Map<string, string>

const isOfProject = (kind: InstructionKind): boolean => kind === "project" || kind === "local"

/** Gathers files in the order in which they are added, each once, and says why others are left out. */
export class Collector {
  private readonly files: Array<InstructionFile> = []
  private readonly waiting: Array<Waiting> = []
  private readonly skipped: Array<Skipped> = []
  private readonly askFor = new Set<string>()
  private seen: Seen = new Map()
  /** Texts of the files of a directory. */
  private readonly twins = new Map<string, string>()
  private readonly isExcluded: (path: string) => boolean

  constructor(
    private readonly place: SearchPlace,
    private readonly world: World
  ) {
    this.isExcluded = excluder(place)
  }

  /** What the conversation has already does not come again. */
  know(path: string): void {
    const presence = this.world.present(path)
    if (presence !== undefined) this.seen.set(presence.identity, path)
  }

  skip(path: string, why: string, isWarning = false): void {
    this.skipped.push({ path, why, ...(isWarning ? { isWarning } : {}) })
  }

  /** Whether something of the project may be taken from where the path leads; otherwise it is said why not. */
  mayReach({ path, realPath }: Presence, { kind, own }: Source): boolean {
    if (!isOfProject(kind) || isInsideAny([...this.place.roots, own], realPath)) return true
    if (this.place.isRestricted) {
      this.skip(path, `it leads out of the project to ${realPath}, and the folder is not trusted`, true)
      return false
    }
    if (isApproved(this.place, realPath)) return true
    this.askFor.add(realPath)
    this.skip(path, `it leads out of the project to ${realPath}, which waits for approval`)
    return false
  }

  private refusal({ path, realPath, kind, size, owner, identity }: Presence, source: Source): string | undefined {
    const { owners, isSecret } = this.place
    if (kind !== "file") return "it is not a regular file"
    if (source.kind !== "managed" && (this.isExcluded(path) || this.isExcluded(realPath))) {
      return "the setting claudeMdExcludes leaves it out"
    }
    if (isSecret(path) || isSecret(realPath)) return "it looks like a file with secrets"
    const first = this.seen.get(identity)
    if (first !== undefined) return first === path ? "it is there already" : `it is the same file as ${first}`
    if (source.kind !== "managed" && owners !== undefined && !owners.has(owner)) {
      return `it belongs to another user (${owner}); nacre.instructions.foreignOwned allows it`
    }
    return size > MOST_BYTES ? `it has ${size} bytes, more than ${MOST_BYTES}` : undefined
  }

  private twin(path: string, text: string): string | undefined {
    const key = `${parentOf(path)}\0${text}`
    const first = this.twins.get(key)
    if (first === undefined) this.twins.set(key, path)
    return first
  }

  private textOf(presence: Presence, source: Source): InstructionText | undefined {
    const why = this.refusal(presence, source)
    if (why !== undefined) this.skip(presence.path, why, /another user|bytes/.test(why))
    if (why !== undefined || !this.mayReach(presence, source)) return undefined
    const text = this.world.text(presence)
    if (text === "NoText") this.skip(presence.path, "it cannot be read as text")
    return typeof text === "string" ? undefined : text
  }

  /** Adds a file and what it imports, if it is there and may be read. */
  add(path: string, source: Source): void {
    const presence = this.world.present(path)
    if (presence !== undefined) this.read(presence, { ...source, hops: 0 })
  }

  private read(presence: Presence, source: Import): void {
    const text = this.textOf(presence, source)
    if (text === undefined) return
    this.seen.set(presence.identity, presence.path)
    this.accept(presence.path, text, source)
  }

  /** Adds a text that is in no file of its own. */
  accept(path: string, text: InstructionText, source: Import): void {
    const { base, kind } = source
    if (text.problem !== undefined) {
      const { line, why } = text.problem
      this.skip(path, `line ${line}: what stands before its text does not count, because ${why}`, true)
    }
    if (base !== undefined && text.patterns.length > 0) {
      this.waiting.push({ path, patterns: text.patterns, base, source, text })
      return
    }
    const twin = text.text === "" ? undefined : this.twin(path, text.text)
    if (twin !== undefined) this.skip(path, `it says the same as ${twin}`)
    else if (text.text !== "") this.files.push(this.fileOf(path, text, { ...source, kind }))
    this.follow(path, text, source)
  }

  addText(path: string, raw: string, source: Source): void {
    this.accept(path, readInstructionText(raw), { ...source, hops: 0 })
  }

  private fileOf(path: string, { text, isPartial }: InstructionText, source: Import): InstructionFile {
    const { kind, reason, parent, trigger } = source
    return { path, kind, text, reason, isPartial, ...(parent && { parent }), ...(trigger && { trigger }) }
  }

  private follow(path: string, { imports }: InstructionText, source: Import): void {
    for (const written of imports) {
      const target = importTarget(written, path, this.place.home)
      if (!isTextName(target)) continue
      if (source.hops >= MOST_HOPS) {
        this.skip(target, `${path} imports it, but imports are followed ${MOST_HOPS} times at most`)
        continue
      }
      const presence = this.world.present(target)
      if (presence === undefined) {
        if (!looksLikeMention(written)) this.skip(target, `${path} imports it, but it is not there`)
      } else if (presence.kind === "file" || !looksLikeMention(written)) {
        const { base: _, ...rest } = source
        this.read(presence, { ...rest, reason: "include", parent: path, hops: source.hops + 1 })
      }
    }
  }

  /** A rule with its imports, seen from what every conversation has. */
  private ruleOf({ path, patterns, base, source, text }: Waiting): PathRule {
    const [seen, files] = [this.seen, this.files.length]
    this.seen = new Map(seen)
    this.files.push(this.fileOf(path, text, { ...source, reason: "path_glob_match", hops: 0 }))
    this.follow(path, text, { ...source, hops: 0 })
    this.seen = seen
    return { path, base, patterns, files: this.files.splice(files).filter((file) => file.text !== "") }
  }

  found(): Found {
    const rules = this.waiting.map((each) => this.ruleOf(each))
    return { files: [...this.files], rules, skipped: [...this.skipped], askFor: [...this.askFor].toSorted() }
  }
}
