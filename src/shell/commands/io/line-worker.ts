import { realpathSync } from "node:fs"
import { availableParallelism } from "node:os"
import { isMainThread, Worker } from "node:worker_threads"
import { lineBlocks } from "./line-blocks.ts"

/** Somebody who answers lines beside us, one line for each. */
export interface LineAnswerer {
  /** Nothing when it has failed; the lines are then still to be answered. May be called again before it has answered. */
  readonly answer: (lines: ReadonlyArray<string>) => Promise<ReadonlyArray<string> | undefined>
  readonly end: () => void
}

/**
 * This program once more, with these arguments, in a thread of its own: half of a long batch is answered there. Nothing
 * where there is no second processor, and none inside such a thread.
 */
export const startSecondThread = (args: ReadonlyArray<string>): LineAnswerer | undefined => {
  const program = process.argv[1]
  if (program === undefined || !isMainThread || availableParallelism() < 2) return undefined
  const worker = new Worker(realpathSync(program), { argv: [...args], stdin: true, stdout: true, stderr: true })
  // A thread that fails ends its output, and whoever waits for a line of it hears of that.
  worker.on("error", () => {})
  const blocks = lineBlocks(worker.stdout.setEncoding("utf8"))
  const ready: Array<string> = []
  const take = async (count: number): Promise<ReadonlyArray<string> | undefined> => {
    while (ready.length < count) {
      const next = await blocks.next()
      if (next.done === true) return undefined
      ready.push(...next.value)
    }
    return ready.splice(0, count)
  }
  let earlier: Promise<unknown> = Promise.resolve()
  return {
    answer: (lines) => {
      worker.stdin?.write(lines.map((line) => `${line}\n`).join(""))
      const answers = earlier.then(() => take(lines.length))
      earlier = answers
      return answers
    },
    end: () => void worker.terminate()
  }
}
