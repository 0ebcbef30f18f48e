/** `!`: a range of lines for a shell command, which is then typed on the command line. */
import { openCommandLine } from "../engine/command-line.ts"
import { lineCount, type Region } from "../engine/region.ts"
import type { Turn } from "../engine/running-command.ts"

const openFilter = (turn: Turn, region: Region): Turn => {
  const count = lineCount(region)
  const range = count === 1 ? "." : `.,.+${count - 1}`
  return openCommandLine(turn, { prompt: ":", text: `${range}!`, waiting: [] })
}

export const filterOperator = { run: openFilter, byLines: true, reads: true } as const
