import { spawn } from "node:child_process"
import { mkdirSync, writeFileSync, readFileSync } from "node:fs"
import { join } from "node:path"

/** What bash did with a program. */
export interface Observation {
  readonly runs: ReadonlyArray<Run>
  /** Files in the program's directory and its home. */
  readonly files: ReadonlyArray<string>
}

export interface Run {
  readonly argv: ReadonlyArray<string>
  readonly A: string
  readonly B: string
}

/**
 * One bash for many programs. There is no program on its PATH: whatever a text starts arrives in bash's own handler for
 * missing commands, which writes the words down. That needs no process per command beyond the one bash forks anyway.
 * Line ends become another character in the log: bash writes line by line, and the parts of a pipeline write at once.
 */
const SCRIPT = String.raw`
command_not_found_handle() {
  local NACRE_RECORD=("\${A-}" "\${B-}" "$@")
  builtin printf '%s\0' @ "$NACRE_N" "$#" "\${NACRE_RECORD[@]//$'\n'/$'\x02'}" >> "$NACRE_LOG"
  if [[ $1 == false ]]; then return 1; fi
  if [[ $1 == cat && $# == 1 ]]; then IFS= builtin read -r -d '' NACRE_DOCUMENT; builtin printf '%s' "$NACRE_DOCUMENT"; fi
  return 0
}
enable -n echo test [ true false pwd
shopt -s nullglob dotglob
NACRE_N=0
while IFS= builtin read -r -d '' NACRE_PROGRAM; do
  cd "$NACRE_WORK"
  : > in.txt
  ( shopt -u nullglob dotglob; builtin eval "$NACRE_PROGRAM" ) < /dev/null > /dev/null 2>&1
  NACRE_FILES=("$NACRE_WORK"/* "$HOME"/*)
  builtin printf '%s\0' % "$NACRE_N" "\${#NACRE_FILES[@]}" "\${NACRE_FILES[@]}" >> "$NACRE_LOG"
  if (( \${#NACRE_FILES[@]} > 1 )); then /bin/rm -rf -- "\${NACRE_FILES[@]}"; fi
  NACRE_N=$((NACRE_N + 1))
done < "$NACRE_PROGRAMS"
`.replaceAll("\\$", "$")

/** Where the programs of one batch run, one after the other. */
export interface Place {
  readonly root: string
  readonly work: string
  readonly home: string
}

export const makePlace = (root: string): Place => {
  const place = { root, work: join(root, "work"), home: join(root, "home") }
  mkdirSync(place.work)
  mkdirSync(place.home)
  return place
}

const run = ({ root, work, home }: Place): Promise<void> =>
  new Promise((resolve, reject) => {
    const env = {
      PATH: join(root, "no-programs"),
      HOME: home,
      LC_ALL: "C.UTF-8",
      NACRE_WORK: work,
      NACRE_PROGRAMS: join(root, "programs"),
      NACRE_LOG: join(root, "log")
    }
    const child = spawn("/bin/bash", ["--noprofile", "--norc", "-c", SCRIPT], { env, stdio: "ignore", timeout: 300_000 })
    child.on("error", reject)
    child.on("exit", (code, signal) =>
      signal === null ? resolve() : reject(new Error(`bash ended with ${code ?? signal}`))
    )
  })

const parseLog = (log: string, count: number): ReadonlyArray<Observation> => {
  const found = Array.from({ length: count }, () => ({ runs: new Array<Run>(), files: new Array<string>() }))
  const fields = log.split("\0")
  let at = 0
  const take = (): string => (fields[at++] ?? "").replaceAll("\u0002", "\n")
  while (at < fields.length - 1) {
    const kind = take()
    const observation = found[Number(take())]
    const size = Number(take())
    if (observation === undefined || (kind !== "@" && kind !== "%")) throw new Error(`unreadable log near field ${at}`)
    if (kind === "@") {
      const [A, B] = [take(), take()]
      observation.runs.push({ A, B, argv: Array.from({ length: size }, take) })
    } else observation.files.push(...Array.from({ length: size }, take))
  }
  return found
}

/** Runs the programs one after the other; each finds an empty home and a directory with the file `in.txt`. */
export const observe = async (place: Place, programs: ReadonlyArray<string>): Promise<ReadonlyArray<Observation>> => {
  const log = join(place.root, "log")
  writeFileSync(join(place.root, "programs"), programs.map((program) => `${program}\0`).join(""))
  writeFileSync(log, "")
  await run(place)
  return parseLog(readFileSync(log, "utf8"), programs.length)
}
