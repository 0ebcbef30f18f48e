import type { CommandIo } from "./io/command-io.ts"
import type { CommandInvocation } from "../cli/options.ts"
import { describeReplay } from "../trace/describe-replay.ts"
import { recordingAt, replayFile } from "../trace/replay.ts"

/** `nacre replay FILE`: steps a recording again and says whether everything came out the same. */
export const runReplay = async ({ operands: [path = ""], flags }: CommandInvocation, io: CommandIo): Promise<number> => {
  let file = path
  try {
    file = recordingAt(path)
    const report = await replayFile(file, flags["until"] === undefined ? Infinity : Number(flags["until"]))
    const text = describeReplay(file, report)
    if (report._tag === "Agreed") io.out(`${text}\n`)
    else io.err(`nacre: ${text}\n`)
    return report._tag === "Agreed" ? 0 : 1
  } catch (error) {
    io.err(`nacre: ${file} cannot be replayed: ${error instanceof Error ? error.message : String(error)}\n`)
    return 1
  }
}
