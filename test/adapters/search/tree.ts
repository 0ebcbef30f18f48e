import * as fc from "fast-check"
import { mkdir, mkdtemp, rm, utimes, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"

/** A generated directory tree for search tests: relative paths to contents. */
export type Tree = Readonly<Record<string, string>>

const WORDS = ["foo", "bar", "baz", "Foo", "foobar", "x=1", "", "  foo  ", "a.b", "äöü foo"]

const name = fc.constantFrom("a", "b", "src", "src.ts", "a.ts", "b.md", ".env", ".hidden", "c[1].ts", "z z.txt", "lib")
const content = fc
  .tuple(fc.array(fc.constantFrom(...WORDS), { maxLength: 8 }), fc.constantFrom("", "\n", "\r\n"))
  .map(([lines, end]) => lines.join(end === "\r\n" ? "\r\n" : "\n") + end)

export const trees: fc.Arbitrary<Tree> = fc
  .dictionary(
    fc.array(name, { minLength: 1, maxLength: 3 }).map((parts) => parts.join("/")),
    content,
    { maxKeys: 8, noNullPrototype: true }
  )
  .map(withoutFilesInTheWay)

/** Drops entries whose path is a directory of another entry. */
function withoutFilesInTheWay(tree: Tree): Tree {
  const paths = Object.keys(tree)
  return Object.fromEntries(Object.entries(tree).filter(([path]) => !paths.some((other) => other.startsWith(`${path}/`))))
}

export const write = async (root: string, tree: Tree): Promise<void> => {
  for (const [index, [path, text]] of Object.entries(tree).entries()) {
    const file = join(root, path)
    await mkdir(dirname(file), { recursive: true })
    await writeFile(file, text)
    // Pairs share a time, so that ties occur.
    const seconds = 1_700_000_000 + Math.floor(index / 2)
    await utimes(file, seconds, seconds)
  }
}

export const withTree = async <A>(tree: Tree, use: (root: string) => Promise<A>): Promise<A> => {
  const root = await mkdtemp(join(tmpdir(), "nacre-search-"))
  try {
    await write(root, tree)
    return await use(root)
  } finally {
    await rm(root, { recursive: true, force: true })
  }
}
