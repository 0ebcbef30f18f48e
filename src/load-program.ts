import { readdirSync, readFileSync, writeFileSync } from "node:fs"
import { createRequire, Module } from "node:module"
import { dirname, join, resolve } from "node:path"
import { Script } from "node:vm"

/**
 * Loads the program's chunks with the machine code that the build left beside them, so that a start does not compile
 * half a megabyte of script. Machine code of another Node is refused by the engine and simply not used.
 */
interface Program {
  readonly run: (args: ReadonlyArray<string>) => Promise<number>
}

interface LoadedModule {
  exports: unknown
}

type Wrapper = (
  exports: unknown,
  require: (id: string) => unknown,
  module: LoadedModule,
  filename: string,
  dirname: string
) => void

const cacheFile = (path: string): string => `${path}.${process.version}.cache`

/** Set by the build: write the machine code of everything that was loaded when the program ends, beside what was there. */
const isWarming = process.env["NACRE_WRITE_CODE_CACHE"] === "1"

/** The machine code of a chunk, or nothing where the build left none: asking first would cost a look for every chunk. */
const preparedCode = (path: string): Buffer | undefined => {
  try {
    return readFileSync(cacheFile(path))
  } catch {
    return undefined
  }
}

const compile = (path: string): Script => {
  const cachedData = preparedCode(path)
  return new Script(Module.wrap(readFileSync(path, "utf8")), {
    filename: path,
    ...(cachedData === undefined ? {} : { cachedData })
  })
}

/** All chunks lie in one directory, so Node's own modules are found for all of them from the first. */
const makeLoader = (entry: string): Program => {
  const fromNode = createRequire(entry)
  const modules = new Map<string, LoadedModule>()
  const load = (path: string): unknown => {
    const known = modules.get(path)
    if (known !== undefined) return known.exports
    const loaded: LoadedModule = { exports: {} }
    modules.set(path, loaded)
    const script = compile(path)
    if (isWarming) process.on("exit", () => writeFileSync(cacheFile(path), script.createCachedData()))
    const require = (id: string): unknown => (id.startsWith(".") ? load(resolve(dirname(path), id)) : fromNode(id))
    const wrapper = script.runInThisContext() as Wrapper
    wrapper(loaded.exports, require, loaded, path, dirname(path))
    return loaded.exports
  }
  return load(entry) as Program
}

/** Chunk names carry a digest of their content, so machine code can never belong to another text. */
const entryOf = (directory: string): string => {
  const entry = readdirSync(directory).find((name) => /^program-[\w-]+\.js$/.test(name))
  if (entry === undefined) throw new Error(`nacre: the program is missing in ${directory}. Fix: install or build it again`)
  return join(directory, entry)
}

export const loadProgram = (): Program => makeLoader(entryOf(join(__dirname, "program")))
