import type { FileOps } from "./ops.ts"

/** More than a run names; beyond it answers are still right, only asked for again. */
const MOST_REMEMBERED = 20_000

/** Holds on to the first answer for each path. `undefined` is an answer too. */
const firstAnswer = <A>(look: (path: string) => A): ((path: string) => A) => {
  const known = new Map<string, A>()
  return (path) => {
    const found = known.get(path)
    if (found !== undefined || known.has(path)) return found as A
    const answer = look(path)
    if (known.size < MOST_REMEMBERED) known.set(path, answer)
    return answer
  }
}

/** For runs that only look: the same paths are named again and again, and within one run they lead to the same places. */
export const rememberingOps = (ops: FileOps): FileOps => ({
  ...ops,
  lstatIfAny: firstAnswer(ops.lstatIfAny),
  isPlain: firstAnswer(ops.isPlain),
  readdir: firstAnswer(ops.readdir)
})
