import { isOn } from "../../core/domain/env.ts"

/** `NACRE_PROFILE_STARTUP=1`: when each step of the start was done, printed when the process ends. */
interface Checkpoint {
  readonly name: string
  readonly atMs: number
  readonly residentMb: number
}

const MEGABYTE = 2 ** 20
const isWanted = isOn(process.env["NACRE_PROFILE_STARTUP"])
const passed: Array<Checkpoint> = []

const rowOf = ({ name, atMs, residentMb }: Checkpoint, sinceMs: number): string =>
  `${atMs.toFixed(1).padStart(9)} ${`+${(atMs - sinceMs).toFixed(1)}`.padStart(9)} ${residentMb.toFixed(0).padStart(6)}  ${name}\n`

const tell = (): void => {
  const rows = passed.map((each, index) => rowOf(each, passed[index - 1]?.atMs ?? 0))
  process.stderr.write(`nacre: start-up\n       ms     delta     MB  checkpoint\n${rows.join("")}`)
}

/** Notes that a step of the start is done, with the time since the process began. */
export const checkpoint = (name: string): void => {
  if (!isWanted) return
  if (passed.length === 0) process.once("exit", tell)
  passed.push({ name, atMs: performance.now(), residentMb: process.memoryUsage.rss() / MEGABYTE })
}
