import { resolve } from "node:path"
import { Effect } from "effect"
import {
  type Examination,
  type Finding,
  inOrder,
  isSound,
  mergeExaminations
} from "../../../core/settings/doctor/finding.ts"
import { visible } from "../../../tui/line/visible.ts"
import { examineConfiguration } from "./check-configuration.ts"
import { examineFiles, repairsIn } from "./check-files.ts"
import type { Place } from "./doctor-context.ts"
import { examinePrograms } from "./check-programs.ts"
import { examineSandbox } from "./check-sandbox.ts"
import { examineTerminal } from "./check-terminal.ts"
import { configHome } from "../../plan/environment.ts"
import { VERSION } from "../../process/version.ts"
import type { CommandIo } from "../io/command-io.ts"
import type { CommandInvocation } from "../../cli/options.ts"

/** `nacre doctor`: looks at everything a session depends on. It starts nothing of the folder and sends nothing. */

const placeOf = ({ file, line }: Finding): string =>
  file === undefined ? "" : ` (${file}${line === undefined ? "" : `:${line}`})`

const fix = (place: Place, io: CommandIo): void => {
  for (const { finding, repair } of repairsIn(place)) {
    const what = `${finding.message}${placeOf(finding)}`
    try {
      repair()
      io.err(`nacre: fixed: ${visible(what)}\n`)
    } catch (error) {
      io.err(`nacre: not fixed: ${visible(what)}: ${String(error)}\n`)
    }
  }
}

const examine = (place: Place): Effect.Effect<Examination> =>
  Effect.gen(function* () {
    const [programs, configuration, sandbox] = yield* Effect.all(
      [examinePrograms(place), examineConfiguration(place), examineSandbox(place)],
      { concurrency: "unbounded" }
    )
    return mergeExaminations([
      ...programs,
      examineTerminal(place),
      configuration,
      sandbox,
      examineFiles(place, repairsIn(place))
    ])
  })

const indented = (text: string): ReadonlyArray<string> => text.split("\n").map((line) => `           ${line}`)

const findingLines = (finding: Finding): ReadonlyArray<string> => [
  `  ${finding.level.padEnd(8)} ${visible(finding.message)}${visible(placeOf(finding))}`,
  ...(finding.excerpt === undefined ? [] : indented(finding.excerpt)),
  ...(finding.fix === undefined ? [] : indented(`Fix: ${visible(finding.fix)}`))
]

const sections = (findings: ReadonlyArray<Finding>): ReadonlyArray<string> => {
  const areas = [...new Set(findings.map(({ area }) => area))]
  return areas.flatMap((area) => ["", area, ...findings.filter((each) => each.area === area).flatMap(findingLines)])
}

const counted = (findings: ReadonlyArray<Finding>, level: Finding["level"], noun: string): string => {
  const count = findings.filter((each) => each.level === level).length
  return `${count} ${noun}${count === 1 ? "" : "s"}`
}

const textOf = ({ facts, findings }: Examination): string => {
  const wide = Math.max(...Object.keys(facts).map((name) => name.length))
  return [
    ...Object.entries(facts).map(([name, value]) => `${name.padEnd(wide)}  ${visible(value)}`),
    ...sections(inOrder(findings)),
    "",
    `${counted(findings, "error", "error")}, ${counted(findings, "warning", "warning")}`,
    ""
  ].join("\n")
}

const jsonOf = (examination: Examination): string => {
  const findings = inOrder(examination.findings).map(({ excerpt: _excerpt, ...finding }) => finding)
  return `${JSON.stringify({ version: VERSION, ok: isSound(examination), findings, facts: examination.facts }, null, 2)}\n`
}

export const runDoctor = async ({ flags }: CommandInvocation, io: CommandIo): Promise<number> => {
  const { env, cwd, home } = io
  const place: Place = { env, cwd, home, configHome: resolve(configHome(env)), program: process.argv[1] ?? "" }
  if (flags["fix"] === true) fix(place, io)
  const examination = await Effect.runPromise(examine(place))
  io.out(flags["json"] === true ? jsonOf(examination) : textOf(examination))
  return isSound(examination) ? 0 : 1
}
