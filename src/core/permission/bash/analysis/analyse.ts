import type { AnalysisObstacle, Candidate, RepositoryFacts, ShellAnalysis, ShellPart } from "../shell-analysis.ts"
import { forkBomb } from "../proofs/critical.ts"
import { standingsOf, type CommandDirectory } from "./directories.ts"
import { textOf } from "../arguments/arguments.ts"
import { lexicalCandidates } from "./candidates.ts"
import { takesCode } from "./handed-code.ts"
import { lower } from "../parse/lower.ts"
import { partOf, type PartContext } from "./part.ts"
import type { Platform } from "../touches/path-touch.ts"
import type { Obstacle, ShellProgram, SimpleCommand, Word } from "../program.ts"
import type { ParseShell, SyntaxTree } from "../syntax.ts"
import { isScriptRunner, nameOf, runsFiles, runsInput, unwrap } from "../arguments/wrappers.ts"

export interface AnalyseOptions {
  readonly parse: ParseShell
  readonly home: string
  readonly cwd: string
  /** Every form of the working directories; for what must never be removed. */
  readonly workingDirs: ReadonlyArray<string>
  readonly repository?: RepositoryFacts | undefined
  readonly platform?: Platform
  /** `CDPATH` is set where the command will run. */
  readonly searchPath?: boolean
}

/** How many texts may be handed over inside each other; deeper ones are only looked at word by word. */
const MAX_HANDED = 8

const NOT_READ = "It could not be read"

interface Gathering {
  readonly options: AnalyseOptions
  readonly parts: Array<ShellPart>
  readonly obstacles: Array<Obstacle>
}

const holdsProcess = (word: Word | undefined): boolean => word?.dynamic.some(({ kind }) => kind === "process") === true

const bareName = (text: string): string => text.replace(/^(?:\.\/+)+/, "")

/** Files that the text itself writes. */
const writtenNames = (commands: ReadonlyArray<SimpleCommand>): ReadonlySet<string> =>
  new Set(
    commands.flatMap(({ words, redirects }) => [
      ...redirects.flatMap(({ operator, target }) =>
        operator.includes(">") && target !== undefined ? [bareName(textOf(target))] : []
      ),
      ...(words[0] !== undefined && nameOf(words[0]) === "tee" ? words.slice(1).map((word) => bareName(textOf(word))) : [])
    ])
  )

/** Runs a file that another command of the text writes. */
const runsWritten = (words: ReadonlyArray<Word>, at: number, written: ReadonlySet<string>): boolean => {
  if (written.size === 0) return false
  const named = runsFiles(words, at) ? words.slice(at) : words.slice(at, at + 1)
  return named.some((word) => written.has(bareName(textOf(word))))
}

/** Some program in the text runs what others print. */
const runsText = (commands: ReadonlyArray<SimpleCommand>): boolean => {
  const written = writtenNames(commands)
  return commands.some(({ words, assignments, place }) => {
    const unwrapped = unwrap(words)
    const { at, layers } = unwrapped
    if (takesCode(words, unwrapped) || layers.some(({ known }) => known.row.feeds === true)) return true
    if (place.inPipeline && runsInput(words, at)) return true
    if (assignments.some(({ value }) => holdsProcess(value))) return true
    return (runsFiles(words, at) && words.some(holdsProcess)) || runsWritten(words, at, written)
  })
}

/** A text of which at most the words are known. */
const unreadPart = (text: string, depth: number, candidates: ReadonlyArray<Candidate>): ShellPart => ({
  text,
  program: "",
  depth,
  handed: true,
  candidates,
  allow: { texts: [], obstacle: NOT_READ },
  readOnly: { proven: false, why: NOT_READ },
  fileEdit: { proven: false, why: NOT_READ },
  touches: [],
  danger: undefined,
  critical: undefined,
  dynamicProgram: text,
  dynamicOperand: text
})

/** A name may stand on two lines; not every place where it can is read well by the grammar. */
const SPLIT_WORD = /[^\s;&|()<>]\\\n[^\s;&|()<>]/

const joinedPart = (text: string, depth: number): ShellPart => ({
  ...unreadPart(text, depth, lexicalCandidates(text.replaceAll("\\\n", ""))),
  dynamicProgram: undefined,
  dynamicOperand: undefined
})

/** Code handed to another program runs where that program runs. */
const addText = (gathering: Gathering, text: string, depth: number, start: CommandDirectory): void => {
  if (isTooDeep(gathering, text, depth)) return
  const { parse, home } = gathering.options
  const program = lower(text, parse(text), home, start.cwd)
  if (program.obstacles.some(isDoubt)) gathering.parts.push(unreadPart(text, depth, []))
  addProgram(gathering, program, depth, start)
}

/** Something may run that nobody has seen. */
const isDoubt = ({ kind }: Obstacle): boolean => kind === "parse" || kind === "disagreement"

const isTooDeep = ({ obstacles, parts }: Gathering, text: string, depth: number): boolean => {
  if (depth <= MAX_HANDED) return false
  obstacles.push({ kind: "limit", construct: `code handed over more than ${MAX_HANDED} times`, column: 1 })
  parts.push(unreadPart(text, depth, lexicalCandidates(text)))
  return true
}

const addProgram = (gathering: Gathering, program: ShellProgram, depth: number, start: CommandDirectory): void => {
  const { home, workingDirs, repository, platform = "posix", searchPath = false } = gathering.options
  const { commands } = program
  const standings = standingsOf(program.body, commands, { home, start, searchPath })
  const context: PartContext = {
    home,
    workingDirs,
    repository,
    platform,
    depth,
    textMayRun: runsText(commands),
    movesInText: [...standings.values()].some(({ moved }) => moved),
    standingOf: (command) => standings.get(command) ?? start
  }
  if (SPLIT_WORD.test(program.source)) gathering.parts.push(joinedPart(program.source, depth))
  for (const command of commands) {
    const standing = context.standingOf(command)
    const { part, code, inner } = partOf(command, context)
    gathering.parts.push(part)
    for (const { text } of code) addText(gathering, text, depth + 1, standing)
    for (const words of inner) {
      const handed = programOf(command, words)
      if (!isTooDeep(gathering, handed.source, depth + 1)) addProgram(gathering, handed, depth + 1, standing)
    }
  }
}

/** A command among the words of another one. */
const programOf = (outer: SimpleCommand, words: ReadonlyArray<Word>): ShellProgram => {
  const start = words[0]?.start ?? outer.start
  const end = words.at(-1)?.end ?? outer.end
  const source = words.map((word) => word.source).join(" ")
  const command: SimpleCommand = { source, start, end, assignments: [], words, redirects: [], place: outer.place }
  return { source, blank: false, commands: [command], body: [{ kind: "command", command }], obstacles: [] }
}

/** Change nothing of what is in a file. */
const KEEPS_CONTENTS: ReadonlySet<string> = new Set(["chmod", "chown", "chgrp", "chattr", "setfacl", "touch", "mkdir"])

/** Files that a part runs: the script of an interpreter, or the program itself when it is named by its path. */
const filesRun = ({ program, touches, text }: ShellPart): ReadonlyArray<string> =>
  isScriptRunner(program) || text.includes("/")
    ? touches.flatMap(({ access, path, via }) =>
        access === "read" && via === "operand" && path !== undefined ? [path] : []
      )
    : []

/** What a part runs was written by another one a moment before: nobody has seen what is in it. */
const withWritten = (parts: ReadonlyArray<ShellPart>): ReadonlyArray<ShellPart> => {
  if (parts.length < 2) return parts
  const writers = new Map<string, ShellPart>()
  for (const part of parts) {
    if (KEEPS_CONTENTS.has(part.program)) continue
    for (const { access, path } of part.touches) if (access === "write" && path !== undefined) writers.set(path, part)
  }
  if (writers.size === 0) return parts
  return parts.map((part) => {
    const isUnseen = filesRun(part).some((path) => (writers.get(path) ?? part) !== part)
    return isUnseen && part.dynamicProgram === undefined ? { ...part, dynamicProgram: part.text } : part
  })
}

const sentenceOf = ({ kind, construct, column }: Obstacle): AnalysisObstacle => ({
  kind,
  column,
  sentence: `Could not fully understand the command: ${construct} at column ${column}`
})

/** Kinds that no rule lifts. */
const UNPARSABLE: ReadonlySet<Obstacle["kind"]> = new Set(["parse", "limit", "character", "disagreement"])

/** Everything the command could run and touch, and what is proven about it. */
const analyseAnew = (command: string, options: AnalyseOptions): ShellAnalysis => {
  const program = lower(command, options.parse(command), options.home, options.cwd)
  const gathering: Gathering = { options, parts: [], obstacles: [...program.obstacles] }
  addProgram(gathering, program, 0, { cwd: options.cwd, others: [], stays: [], moved: false })
  const { obstacles } = gathering
  const parts = [...withWritten(gathering.parts)]
  if (obstacles.some(isDoubt)) parts.push(unreadPart(command, 0, []))
  const obstacle = obstacles.find(({ kind }) => kind !== "dynamic")
  const unparsable = obstacles.find(({ kind }) => UNPARSABLE.has(kind))
  return {
    source: command,
    blank: program.blank,
    parts,
    obstacle: obstacle === undefined ? undefined : sentenceOf(obstacle),
    unparsable: unparsable === undefined ? undefined : sentenceOf(unparsable),
    critical: forkBomb(command) ?? parts.find(({ critical }) => critical !== undefined)?.critical
  }
}

interface Remembered {
  readonly options: AnalyseOptions
  readonly analysis: ShellAnalysis
  /** Every text that was parsed on the way, with its tree. */
  readonly trees: ReadonlyMap<string, SyntaxTree | undefined>
}

/** The last analysis of each tree: a command is looked at before a decision, in it, and again before it runs. */
const lastAnalyses = new WeakMap<SyntaxTree, Remembered>()

const sameTexts = (left: ReadonlyArray<string>, right: ReadonlyArray<string>): boolean =>
  left === right || (left.length === right.length && left.every((text, index) => text === right[index]))

/** Asks for every tree again, so that whoever records what was parsed records the same. */
const stillHolds = (known: Remembered, command: string, options: AnalyseOptions): boolean => {
  const before = known.options
  const isSamePlace =
    known.analysis.source === command &&
    before.home === options.home &&
    before.cwd === options.cwd &&
    before.repository === options.repository &&
    before.platform === options.platform &&
    before.searchPath === options.searchPath &&
    sameTexts(before.workingDirs, options.workingDirs)
  if (!isSamePlace) return false
  for (const [text, tree] of known.trees) if (options.parse(text) !== tree) return false
  return true
}

/** Everything the command could run and touch, and what is proven about it. Equal questions get the same answer. */
export const analyse = (command: string, options: AnalyseOptions): ShellAnalysis => {
  const tree = options.parse(command)
  if (tree === undefined) return analyseAnew(command, options)
  const known = lastAnalyses.get(tree)
  if (known !== undefined && stillHolds(known, command, options)) return known.analysis
  const trees = new Map<string, SyntaxTree | undefined>()
  const parse: ParseShell = (text) => {
    const parsed = options.parse(text)
    trees.set(text, parsed)
    return parsed
  }
  const analysis = analyseAnew(command, { ...options, parse })
  lastAnalyses.set(tree, { options, analysis, trees })
  return analysis
}

/** Paths whose facts a decision about the command needs. */
export const pathsOf = ({ parts }: ShellAnalysis): ReadonlyArray<string> => [
  ...new Set(parts.flatMap(({ touches }) => touches.flatMap(({ path }) => (path === undefined ? [] : [path]))))
]

/** Globs that have to be expanded before a decision, as absolute patterns. */
export const globsOf = ({ parts }: ShellAnalysis): ReadonlyArray<string> => [
  ...new Set(parts.flatMap(({ touches }) => touches.flatMap(({ glob }) => (glob === undefined ? [] : [glob]))))
]
