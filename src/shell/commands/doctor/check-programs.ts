import { execFile } from "node:child_process"
import { existsSync, realpathSync } from "node:fs"
import { basename, delimiter, dirname, isAbsolute, join, sep } from "node:path"
import { Effect } from "effect"
import type { Examination, Finding } from "../../../core/settings/doctor/finding.ts"
import { readVariable } from "../../../core/domain/env.ts"
import { isForeignDirectory } from "../../../core/domain/path/search-path.ts"
import { Search } from "../../../core/ports/Search.ts"
import { ShellParser } from "../../../core/ports/ShellParser.ts"
import { doctorPorts } from "../../layers/ports.ts"
import { realOr } from "../../trust/read-folder.ts"
import { VERSION } from "../../process/version.ts"
import type { Place } from "./doctor-context.ts"
import { isExecutable } from "../../../adapters/system/is-executable.ts"

/** The program itself and the programs it needs. */

const isElsewhere = (cwd: string, directory: string): boolean =>
  process.platform === "win32" || isForeignDirectory(realOr(directory), [realOr(cwd)])

/** Programs on the PATH. What lies in the folder at hand is not ours to run, so it does not count. */
const onPath = ({ env, cwd }: Place, name: string): ReadonlyArray<string> =>
  (env["PATH"] ?? "")
    .split(delimiter)
    .filter((directory) => isAbsolute(directory) && isElsewhere(cwd, directory))
    .map((directory) => join(directory, name))
    .filter(isExecutable)

const PATIENCE_MS = 5_000

const firstLineOf = (file: string, args: ReadonlyArray<string>): Effect.Effect<string | undefined> =>
  Effect.callback((resume) => {
    execFile(file, [...args], { timeout: PATIENCE_MS, cwd: "/" }, (error, stdout) =>
      resume(Effect.succeed(error === null ? stdout.split("\n", 1)[0] : undefined))
    )
  })

const kindOf = (program: string): string => {
  const root = dirname(dirname(program))
  if (program.includes(`${sep}node_modules${sep}`)) return "package"
  return existsSync(join(root, ".git")) ? "development checkout" : "plain directory"
}

const OLDEST_NODE = 20

const installation = (place: Place): Examination => {
  const program = realOr(place.program)
  const others = onPath(place, "nacre").filter((path) => realpathSync(path) !== program)
  const isOld = Number(process.versions.node.split(".", 1)[0]) < OLDEST_NODE
  const old: Finding = {
    id: "installation.runtime",
    level: "error",
    area: "installation",
    message: `Node ${process.versions.node} is too old`,
    fix: `install Node ${OLDEST_NODE} or newer`
  }
  return {
    facts: {
      version: VERSION,
      installation: `${kindOf(program)}, ${program}`,
      runtime: `Node ${process.versions.node}, ${process.platform} ${process.arch}`
    },
    findings: [
      ...(isOld ? [old] : []),
      ...others.map((path): Finding => ({
        id: "installation.duplicate",
        level: "info",
        area: "installation",
        message: `another nacre is on the PATH: ${path}`,
        fix: "remove the one that you do not use"
      }))
    ]
  }
}

const missing = (id: string, message: string, fix: string, level: Finding["level"] = "warning"): Finding => ({
  id,
  level,
  area: "tools",
  message,
  fix
})

const shellExamination = (place: Place): Examination => {
  const wanted = readVariable(place.env, "SHELL") ?? "bash"
  const path = isAbsolute(wanted) ? (isExecutable(wanted) ? wanted : undefined) : onPath(place, wanted)[0]
  return {
    facts: { shell: path ?? `${wanted}, not found` },
    findings:
      path === undefined
        ? [missing("tools.shell", `the shell ${wanted} was not found, so commands cannot run`, "install bash", "error")]
        : basename(path) === "bash"
          ? []
          : [
              missing(
                "tools.shell-language",
                `${path} is not bash: commands are read as bash and ask more often`,
                "unset CLAUDE_CODE_SHELL",
                "info"
              )
            ]
  }
}

const git = (place: Place) =>
  Effect.gen(function* () {
    const [path] = onPath(place, "git")
    const version = path === undefined ? undefined : yield* firstLineOf(path, ["--version"])
    const gone = missing("tools.git", "git was not found: branches and changes are not shown", "install git")
    return { facts: { git: version ?? "none" }, findings: version === undefined ? [gone] : [] }
  })

const search = Effect.gen(function* () {
  const { engine } = yield* Search
  const name = yield* engine
  const slow = missing("tools.search", name, "install ripgrep, or npm install @vscode/ripgrep")
  return { facts: { search: name }, findings: /ripgrep \d/.test(name) ? [] : [slow] }
})

const parser = Effect.gen(function* () {
  const { load } = yield* ShellParser
  const loaded = yield* Effect.result(load)
  return loaded._tag === "Success"
    ? { facts: { "shell grammar": "loaded" }, findings: [] }
    : {
        facts: { "shell grammar": "not loaded" },
        findings: [missing("tools.shell-parser", loaded.failure.message, "reinstall Nacre", "error")]
      }
})

export const examinePrograms = (place: Place): Effect.Effect<ReadonlyArray<Examination>> =>
  Effect.all([
    Effect.sync(() => installation(place)),
    Effect.sync(() => shellExamination(place)),
    git(place),
    search,
    parser
  ]).pipe(Effect.provide(doctorPorts))
