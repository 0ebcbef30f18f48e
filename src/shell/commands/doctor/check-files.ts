import { accessSync, chmodSync, constants, readFileSync, rmSync, type Stats, statfsSync, statSync } from "node:fs"
import { dirname, join } from "node:path"
import type { Examination, Finding } from "../../../core/settings/doctor/finding.ts"
import { sandboxLeftovers } from "../../layers/ports.ts"
import { isAlive } from "../../../adapters/system/process-alive.ts"
import { trustOptions } from "../../plan/environment.ts"
import type { Place } from "./doctor-context.ts"

/** Who can read what is private, what locks and stand-ins were left behind, and how much room there is. */

const OTHERS = 0o077
const PRIVATE_DIRECTORY = 0o700
const PRIVATE_FILE = 0o600
const STALE_MS = 60_000
const LITTLE_ROOM_BYTES = 100 * 1024 * 1024

const look = (path: string): Stats | undefined => {
  try {
    return statSync(path, { throwIfNoEntry: false })
  } catch {
    return undefined
  }
}

const octal = (mode: number): string => (mode & 0o777).toString(8).padStart(4, "0")

/** Something that `--fix` puts right; `repair` throws where it cannot. */
export interface Repair {
  readonly finding: Finding
  readonly repair: () => void
}

const modeRepair = (path: string, stat: Stats): Repair => {
  const wanted = stat.isDirectory() ? PRIVATE_DIRECTORY : PRIVATE_FILE
  return {
    finding: {
      id: "files.mode",
      level: "warning",
      area: "files",
      message: `others can read what is private (mode ${octal(stat.mode)})`,
      file: path,
      fix: `nacre doctor --fix, or chmod ${wanted.toString(8)} ${path}`
    },
    repair: () => chmodSync(path, wanted)
  }
}

/** What is inside a directory that nobody else may enter needs no mode of its own. */
const wideModes = (place: Place): ReadonlyArray<Repair> => {
  const { configHome } = place
  const isWide = (stat: Stats | undefined): stat is Stats => stat !== undefined && (stat.mode & OTHERS) !== 0
  const home = look(configHome)
  const inside = ["nacre-credentials.json", "history.jsonl", "projects", "sessions", "backups", "nacre", "debug"]
  const global = trustOptions(place.env, place.home).path
  const paths = [
    ...(isWide(home) ? [configHome, ...inside.map((name) => join(configHome, name))] : []),
    ...(dirname(global) === configHome && !isWide(home) ? [] : [global])
  ]
  if (process.platform === "win32") return []
  return paths.flatMap((path) => {
    const stat = look(path)
    return isWide(stat) ? [modeRepair(path, stat)] : []
  })
}

const lockRepair = (path: string): ReadonlyArray<Repair> => {
  const stat = look(path)
  if (stat?.isFile() !== true) return []
  const pid = Number(readFileSync(path, "utf8"))
  const isHeld = Number.isInteger(pid) && pid > 0 && isAlive(pid) && Date.now() - stat.mtimeMs < STALE_MS
  if (isHeld) return []
  return [
    {
      finding: {
        id: "files.lock",
        level: "warning",
        area: "files",
        message: `a lock was left behind by process ${pid}`,
        file: path,
        fix: "nacre doctor --fix removes it"
      },
      repair: () => rmSync(path, { force: true })
    }
  ]
}

const locks = (place: Place): ReadonlyArray<Repair> =>
  [join(place.configHome, "settings.json"), trustOptions(place.env, place.home).path].flatMap((file) =>
    lockRepair(`${file}.lock`)
  )

/** Empty directories of protected names confuse other tools when nothing is left that they protect from. */
const standIns = ({ configHome }: Place): ReadonlyArray<Repair> => {
  const { places, remove } = sandboxLeftovers(configHome)
  const [first] = places
  if (first === undefined) return []
  return [
    {
      finding: {
        id: "files.standIns",
        level: "warning",
        area: "files",
        message: `sandboxed commands of a killed process left empty entries in the place of missing files (${places.length})`,
        file: first,
        fix: "nacre doctor --fix removes them, and so does the next sandboxed command"
      },
      repair: remove
    }
  ]
}

export const repairsIn = (place: Place): ReadonlyArray<Repair> => [...wideModes(place), ...locks(place), ...standIns(place)]

const isWritable = (path: string): boolean => {
  try {
    accessSync(path, constants.W_OK)
    return true
  } catch {
    return look(path) === undefined
  }
}

const unwritable = (configHome: string): Finding => ({
  id: "files.unwritable",
  level: "warning",
  area: "files",
  message: "the config directory cannot be written: changes and sessions will not be saved",
  file: configHome,
  fix: `make it yours: chown, or chmod 700 ${configHome}`
})

const megabytes = (bytes: number): string => `${Math.floor(bytes / 1024 / 1024)} MiB free`

const room = (configHome: string): Examination => {
  try {
    const { bavail, bsize } = statfsSync(look(configHome) === undefined ? dirname(configHome) : configHome)
    const free = bavail * bsize
    const little: Finding = {
      id: "files.room",
      level: "warning",
      area: "files",
      message: `little disk space is left for sessions: ${megabytes(free)}`,
      file: configHome,
      fix: "free some"
    }
    return {
      facts: { "config directory": `${configHome}, ${megabytes(free)}` },
      findings: free < LITTLE_ROOM_BYTES ? [little] : []
    }
  } catch {
    return { facts: { "config directory": configHome }, findings: [] }
  }
}

export const examineFiles = (place: Place, repairs: ReadonlyArray<Repair>): Examination => {
  const { facts, findings } = room(place.configHome)
  const closed = isWritable(place.configHome) ? [] : [unwritable(place.configHome)]
  return { facts, findings: [...findings, ...closed, ...repairs.map(({ finding }) => finding)] }
}
