import { readFile } from "node:fs/promises"
import { createRequire } from "node:module"
import { dirname } from "node:path"
import { setFlagsFromString } from "node:v8"
import type { Language, Tree } from "tree-sitter"
import type { ParseShell } from "../../core/permission/bash/syntax.ts"
import { treeCopier } from "./tree-data.ts"

/** Longer texts are not parsed; rules that deny or ask read them as they are. */
const MAX_LENGTH = 100_000

/** An ordinary text takes less than a millisecond; this only ends the pathological ones, which are long. */
const MAX_PARSE_MS = 1_000
const MIN_WATCHED_LENGTH = 1_000

interface Watched {
  readonly progressCallback?: () => boolean
}

const UNWATCHED: Watched = {}

const deadlineFor = (text: string): Watched => {
  if (text.length < MIN_WATCHED_LENGTH) return UNWATCHED
  const end = performance.now() + MAX_PARSE_MS
  return { progressCallback: () => performance.now() > end }
}

/** NUL cannot reach a shell, and the engines, to whom it means the end, take minutes over a text full of it. */
const bounded =
  (parse: ParseShell): ParseShell =>
  (text) =>
    text.length > MAX_LENGTH || text.includes("\0") ? undefined : parse(text)

type LoadBinary = (directory: string) => Language

/** The grammar alone: its package also describes every node, and the engine would make a class of each description. */
const compiledGrammar = (): Language => {
  const manifest = createRequire(import.meta.url).resolve("tree-sitter-bash/package.json")
  const loadBinary = createRequire(manifest)("node-gyp-build") as LoadBinary
  return loadBinary(dirname(manifest))
}

/** The compiled engine, for those who ask for it: it is only there when it could be built or its binary fits this system. */
export const loadNative = async (): Promise<ParseShell> => {
  const { default: Parser } = await import("tree-sitter")
  const parser = new Parser()
  parser.setLanguage(compiledGrammar())
  const treeData = treeCopier()
  return bounded((text) => {
    // The buffer has room for the whole text: the engine would read it in pieces otherwise. A large one costs time.
    // It gives null when it was stopped, whatever its types say.
    const tree: Tree | null = parser.parse(text, undefined, {
      bufferSize: Math.max(text.length * 2 + 2, 256),
      ...deadlineFor(text)
    })
    if (tree === null) {
      parser.reset()
      return undefined
    }
    return treeData(tree.walk())
  })
}

/** The first option switches the two others; all must be back, because prepared code is refused under other options. */
const WITHOUT_OPTIMISING = "--liftoff-only"
const AS_USUAL = "--no-liftoff-only --wasm-tier-up --wasm-dynamic-tiering"

/**
 * What is compiled meanwhile is never optimised. Optimising the grammar takes a third of a second and 40 MB, holds up the
 * exit, and pays for itself only after a hundred thousand commands.
 */
const withoutOptimising = async <A>(load: () => Promise<A>): Promise<A> => {
  setFlagsFromString(WITHOUT_OPTIMISING)
  try {
    return await load()
  } finally {
    setFlagsFromString(AS_USUAL)
  }
}

/** The engine that runs everywhere. */
export const loadWasm = async (): Promise<ParseShell> => {
  const { Language, Parser } = await import("web-tree-sitter")
  const find = createRequire(import.meta.url)
  const grammar = await readFile(find.resolve("tree-sitter-bash/tree-sitter-bash.wasm"))
  const parser = await withoutOptimising(async () => {
    await Parser.init({ locateFile: (name: string) => find.resolve(`web-tree-sitter/${name}`) })
    const loaded = new Parser().setLanguage(await Language.load(grammar))
    // Functions are compiled when they are first called, so the large ones are called here.
    loaded.parse("x")?.delete()
    return loaded
  })
  const treeData = treeCopier()
  return bounded((text) => {
    const tree = parser.parse(text, undefined, deadlineFor(text))
    if (tree === null) {
      parser.reset()
      return undefined
    }
    const cursor = tree.walk()
    try {
      return treeData(cursor)
    } finally {
      // The memory of this engine is not collected.
      cursor.delete()
      tree.delete()
    }
  })
}
