import { createHash } from "node:crypto"
import { Effect, Layer } from "effect"
import { isSpecialPath, nameOf, normalise, parentOf } from "../../src/core/domain/path/path-text.ts"
import type { PathFact } from "../../src/core/domain/path/path-components.ts"
import type { Presence } from "../../src/core/domain/path/presence.ts"
import {
  FileError,
  type FileErrorKind,
  type FileKind,
  Files,
  type FileStat,
  type WriteRequest,
  type Written
} from "../../src/core/ports/Files.ts"

/** A file system in memory for tests: deterministic, with a clock that ticks once per change. */
interface Node {
  readonly kind: FileKind
  readonly bytes: Uint8Array
  readonly mode: number
  readonly mtimeMs: number
  readonly target?: string
  /** Names of one file share it. */
  readonly identity?: string
  readonly owner?: number
}

const EMPTY = new Uint8Array(0)
const PIECE_BYTES = 64 * 1024
const MAX_LINKS = 40

const hashOf = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex")

const fail = (kind: FileErrorKind, path: string, message = `${path}: ${kind}`): never => {
  throw new FileError({ kind, path, message })
}

export class MemoryFiles {
  private readonly nodes = new Map<string, Node>([["/", { kind: "directory", bytes: EMPTY, mode: 0o755, mtimeMs: 0 }]])
  private clock = 1_000
  private nextWriteFailure: FileErrorKind | undefined
  /** Runs before the last check of each write, as another program would. */
  beforeCommit: () => void = () => undefined

  private set(path: string, node: Partial<Node>): void {
    this.clock += 1
    for (let parent = parentOf(path); !this.nodes.has(parent); parent = parentOf(parent)) {
      this.nodes.set(parent, { kind: "directory", bytes: EMPTY, mode: 0o755, mtimeMs: this.clock })
    }
    this.nodes.set(path, { kind: "file", bytes: EMPTY, mode: 0o644, mtimeMs: this.clock, ...node })
  }

  put(path: string, content: string | Uint8Array, mode = 0o644): void {
    this.set(path, { bytes: typeof content === "string" ? new TextEncoder().encode(content) : content, mode })
  }

  link(path: string, target: string): void {
    this.set(path, { kind: "link", target })
  }

  /** Another name for a file. */
  hardLink(path: string, existing: string): void {
    const node = this.nodes.get(existing) ?? fail("missing", existing)
    const shared = { ...node, identity: node.identity ?? existing }
    this.nodes.set(existing, shared)
    this.set(path, shared)
  }

  identityOf(path: string): string | undefined {
    return this.presence(path)?.identity
  }

  own(path: string, owner: number): void {
    this.set(path, { ...this.nodes.get(path), owner })
  }

  special(path: string, kind: FileKind): void {
    this.set(path, { kind })
  }

  remove(path: string): void {
    this.nodes.delete(path)
  }

  content(path: string): Uint8Array | undefined {
    return this.nodes.get(this.resolve(path).realPath)?.bytes
  }

  mode(path: string): number | undefined {
    return this.nodes.get(path)?.mode
  }

  failNextWrite(kind: FileErrorKind): void {
    this.nextWriteFailure = kind
  }

  private resolve(given: string): PathFact {
    const path = normalise(given)
    const pending = path.split("/").filter((part) => part !== "")
    let real = "/"
    let links = 0
    for (let part = pending.shift(); part !== undefined; part = pending.shift()) {
      const next = normalise(`${real}/${part}`)
      const node = this.nodes.get(next)
      if (node?.target === undefined) {
        real = next
        continue
      }
      links += 1
      if (links > MAX_LINKS) fail("other", path, `${path} leads through too many links`)
      if (node.target.startsWith("/")) real = "/"
      pending.unshift(...node.target.split("/").filter((step) => step !== "" && step !== "."))
    }
    return { path, realPath: real, exists: this.nodes.has(real) }
  }

  private approved(path: string, approvedRealPath: string | undefined): PathFact {
    const fact = this.resolve(path)
    if (approvedRealPath !== undefined && approvedRealPath !== fact.realPath) {
      fail("linkChanged", path, `${path} led to ${approvedRealPath} and leads to ${fact.realPath} now`)
    }
    return fact
  }

  private regular(fact: PathFact): Node {
    if (isSpecialPath(fact.path)) fail("notRegular", fact.path)
    const node = this.nodes.get(fact.realPath) ?? fail("missing", fact.path)
    if (node.kind === "directory") fail("isDirectory", fact.path)
    if (node.kind !== "file") fail("notRegular", fact.path)
    return node
  }

  private stat(node: Node): FileStat {
    return { kind: node.kind, size: node.bytes.length, mtimeMs: node.mtimeMs, mode: node.mode }
  }

  private presence(path: string): Presence | undefined {
    try {
      const { realPath } = this.resolve(path)
      const node = this.nodes.get(realPath)
      if (node === undefined) return undefined
      const kind = node.kind === "file" || node.kind === "directory" ? node.kind : "other"
      const { bytes, mtimeMs, identity = realPath, owner = 0 } = node
      return { path, realPath, kind, size: bytes.length, mtimeMs, identity, owner }
    } catch {
      return undefined
    }
  }

  private requireParents(fact: PathFact): void {
    for (let parent = parentOf(fact.realPath); parent !== "/"; parent = parentOf(parent)) {
      const kind = this.nodes.get(parent)?.kind
      if (kind !== undefined && kind !== "directory") fail("notDirectory", fact.path)
    }
  }

  private checkWrite(request: WriteRequest, fact: PathFact): Node | undefined {
    if (!fact.exists) {
      if (request.expectedHash !== null) fail("stale", request.path)
      this.requireParents(fact)
      return undefined
    }
    const node = this.regular(fact)
    if (request.expectedHash === null || hashOf(node.bytes) !== request.expectedHash) fail("stale", request.path)
    return node
  }

  private write(request: WriteRequest): Written {
    const before = this.approved(request.path, request.approvedRealPath)
    this.beforeCommit()
    const fact = this.approved(request.path, before.realPath)
    const node = this.checkWrite(request, fact)
    const failure = this.nextWriteFailure
    this.nextWriteFailure = undefined
    if (failure !== undefined) fail(failure, request.path)
    const mode = node?.mode ?? (request.onlyForOwner === true ? 0o600 : 0o644)
    this.set(fact.realPath, { bytes: request.bytes.slice(), mode })
    const written = this.nodes.get(fact.realPath) ?? fail("other", request.path)
    return { hash: hashOf(request.bytes), stat: this.stat(written) }
  }

  private attempt<A>(path: string, run: () => A): Effect.Effect<A, FileError> {
    return Effect.try({
      try: run,
      catch: (error) => (error instanceof FileError ? error : new FileError({ kind: "other", path, message: String(error) }))
    })
  }

  readonly service: Files["Service"] = {
    resolve: (path) => this.attempt(path, () => this.resolve(path)),
    resolveAll: (paths) =>
      Effect.forEach(paths, (path) =>
        Effect.orElseSucceed(
          this.attempt(path, () => this.resolve(path)),
          () => undefined
        )
      ),
    present: (paths) => Effect.sync(() => paths.map((path) => this.presence(path))),
    stat: (path) =>
      this.attempt(path, () => this.stat(this.nodes.get(this.resolve(path).realPath) ?? fail("missing", path))),
    list: (path, options) =>
      this.attempt(path, () => {
        const { realPath } = this.approved(path, options?.approvedRealPath)
        const node = this.nodes.get(realPath) ?? fail("missing", path)
        if (node.kind !== "directory") fail("notDirectory", path)
        return [...this.nodes.entries()]
          .filter(([name]) => name !== "/" && parentOf(name) === realPath)
          .map(([name, entry]) => ({ name: nameOf(name), kind: entry.kind }))
          .sort((left, right) => (left.name < right.name ? -1 : 1))
      }),
    read: (path, options) =>
      this.attempt(path, () => {
        const node = this.regular(this.approved(path, options?.approvedRealPath))
        if (node.bytes.length > (options?.maxBytes ?? Number.POSITIVE_INFINITY)) fail("tooLarge", path)
        return { bytes: node.bytes.slice(), hash: hashOf(node.bytes), stat: this.stat(node) }
      }),
    scan: (path, consume, options) =>
      this.attempt(path, () => {
        const node = this.regular(this.approved(path, options?.approvedRealPath))
        for (let at = 0; at < node.bytes.length; at += PIECE_BYTES) {
          if (!consume(node.bytes.slice(at, at + PIECE_BYTES))) return { stat: this.stat(node) }
        }
        return { stat: this.stat(node), hash: hashOf(node.bytes) }
      }),
    write: (request) => this.attempt(request.path, () => this.write(request))
  }

  readonly layer: Layer.Layer<Files> = Layer.succeed(Files, this.service)
}
