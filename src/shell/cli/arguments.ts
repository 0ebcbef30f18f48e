import { Result } from "effect"
import type { CommandFlag } from "./tables/commands.ts"
import { FLAGS, longsOf, shortsOf, type Flag, type FlagValue } from "./tables/flags.ts"
import { LATER_FLAGS, REFUSED_FLAGS } from "./tables/later-flags.ts"
import { nearestOrCompletion } from "./nearest.ts"
import { printableArgument, UsageError } from "./usage-error.ts"

/**
 * Cuts an argument vector into flags with their values and the rest. GNU rules: `--flag value`, `--flag=value`, `-abc`,
 * `--` ends the flags. A value is taken as it stands, whatever it looks like: it can never become a flag itself.
 */
export interface Given {
  readonly flag: CommandFlag
  readonly values: ReadonlyArray<string>
  /** Further arguments that a greedy list took; the prompt is easily lost in there. */
  readonly taken: ReadonlyArray<string>
}

export interface Arguments {
  readonly given: ReadonlyArray<Given>
  readonly words: ReadonlyArray<string>
  /** Words before `--`: only these can name a command. */
  readonly openWords: number
}

type Outcome<A> = Result.Result<A, UsageError>

/** The flags that may stand in a command line, by their spellings. */
export interface FlagTable {
  readonly long: ReadonlyMap<string, CommandFlag>
  readonly short: ReadonlyMap<string, CommandFlag>
  readonly suggested: ReadonlyArray<string>
  /** Where all of them are listed. */
  readonly help: string
}

export const flagTable = (flags: ReadonlyArray<CommandFlag>, help: string): FlagTable => ({
  long: new Map(flags.flatMap((flag) => longsOf(flag).map((name) => [name, flag] as const))),
  short: new Map(flags.flatMap((flag) => shortsOf(flag).map((name) => [name, flag] as const))),
  suggested: flags.filter((flag) => flag.hidden !== true).flatMap(longsOf),
  help
})

const START_FLAGS: ReadonlyArray<Flag> = [...FLAGS, ...LATER_FLAGS]
const START_TABLE: FlagTable = {
  ...flagTable(START_FLAGS, "nacre --help"),
  suggested: FLAGS.filter((flag: Flag) => flag.hidden !== true).flatMap(longsOf)
}

const looksLikeFlag = (argument: string | undefined): boolean =>
  argument !== undefined && argument.length > 1 && argument.startsWith("-")

const unknownFlag = (spelled: string, table: FlagTable): UsageError => {
  const refusal = REFUSED_FLAGS.get(spelled)
  if (refusal !== undefined) return new UsageError({ what: `${spelled} cannot be used`, ...refusal })
  const meant = spelled.startsWith("--") ? nearestOrCompletion(spelled, table.suggested) : undefined
  return new UsageError({
    what: `unknown flag ${printableArgument(spelled)}`,
    why: "no flag has that name",
    fix:
      meant === undefined
        ? `see \`${table.help}\`; put \`--\` before ${table === START_TABLE ? "a prompt" : "an argument"} that begins with a dash`
        : `did you mean ${meant}?`
  })
}

const missingValue = (spelled: string, flag: CommandFlag): UsageError =>
  new UsageError({
    what: `${spelled} needs a value`,
    why: "the command line ends after it",
    fix: `${spelled} ${"label" in flag.value ? `<${flag.value.label}>` : "<value>"}`
  })

interface Read {
  readonly given: Given
  readonly next: number
}

/** Tool names begin with a capital or with `mcp__`; what follows in parentheses may be anything. */
const RULE_LIST = /^(?:\*|mcp__[\w*-]+|[A-Z]\w*)(?:\(.*\))?(?:[\s,]+(?:\*|mcp__[\w*-]+|[A-Z]\w*)(?:\(.*\))?)*$/s

/** Whether a list goes on with this argument. A sentence is a prompt, not one more value. */
const continuesList = (value: ListValue, argument: string): boolean =>
  value.split === "rules" ? RULE_LIST.test(argument) : !/\s/.test(argument)

const greedyValues = (argv: ReadonlyArray<string>, from: number, value: ListValue): ReadonlyArray<string> => {
  const rest = argv.slice(from)
  const end = rest.findIndex((argument) => looksLikeFlag(argument) || !continuesList(value, argument))
  return end < 0 ? rest : rest.slice(0, end)
}

type ListValue = Extract<FlagValue, { readonly kind: "list" }>

interface Spelling {
  readonly flag: CommandFlag
  readonly spelled: string
  readonly attached: string | undefined
}

/** The flag spelled at `index` with its values and the index after them. */
const readValues = (argv: ReadonlyArray<string>, index: number, spelling: Spelling): Outcome<Read> => {
  const { flag, spelled, attached } = spelling
  const result = (values: ReadonlyArray<string>, taken: ReadonlyArray<string>, next: number): Outcome<Read> =>
    Result.succeed({ given: { flag, values, taken }, next })
  const { value } = flag
  if (attached !== undefined) {
    return value.kind === "none"
      ? Result.fail(new UsageError({ what: `${spelled} takes no value`, why: "it is a switch", fix: spelled }))
      : result([attached], [], index + 1)
  }
  const following = argv[index + 1]
  if (value.kind === "none") return result([], [], index + 1)
  if (value.kind === "optional") {
    const isValue = value.attached !== true && following !== undefined && !looksLikeFlag(following)
    return isValue ? result([following], [], index + 2) : result([], [], index + 1)
  }
  if (following === undefined) return Result.fail(missingValue(spelled, flag))
  const taken = value.kind === "list" && value.greedy ? greedyValues(argv, index + 2, value) : []
  return result([following, ...taken], taken, index + 2 + taken.length)
}

const readLong = (argv: ReadonlyArray<string>, index: number, table: FlagTable): Outcome<Read> => {
  const argument = argv[index] ?? ""
  const equals = argument.indexOf("=")
  const spelled = equals < 0 ? argument : argument.slice(0, equals)
  const flag = table.long.get(spelled)
  if (flag === undefined) return Result.fail(unknownFlag(spelled, table))
  return readValues(argv, index, { flag, spelled, attached: equals < 0 ? undefined : argument.slice(equals + 1) })
}

/** `-pc` is `-p -c`; the first letter that takes a value takes the rest. `-print` is a slip, not five flags. */
const readShorts = (argv: ReadonlyArray<string>, index: number, table: FlagTable): Outcome<ReadonlyArray<Read>> => {
  const argument = argv[index] ?? ""
  const long = `-${argument}`.split("=")[0] ?? ""
  if (argument.length > 2 && table.long.has(long)) {
    return Result.fail(
      new UsageError({ what: `unknown flag ${printableArgument(argument)}`, why: "long flags have two dashes", fix: long })
    )
  }
  const reads: Array<Read> = []
  for (let position = 1; position < argument.length; position++) {
    const spelled = `-${argument.charAt(position)}`
    const flag = table.short.get(spelled)
    if (flag === undefined) return Result.fail(unknownFlag(argument.length === 2 ? spelled : argument, table))
    const rest = argument.slice(position + 1)
    const attached = flag.value.kind === "none" || rest === "" ? undefined : rest
    const read = readValues(argv, index, { flag, spelled, attached })
    if (Result.isFailure(read)) return Result.fail(read.failure)
    reads.push(read.success)
    if (attached !== undefined) break
  }
  return Result.succeed(reads)
}

export const cutArguments = (argv: ReadonlyArray<string>, table: FlagTable = START_TABLE): Outcome<Arguments> => {
  const given: Array<Given> = []
  const words: Array<string> = []
  let index = 0
  while (index < argv.length) {
    const argument = argv[index] ?? ""
    if (argument === "--") {
      return Result.succeed({ given, words: [...words, ...argv.slice(index + 1)], openWords: words.length })
    }
    if (!looksLikeFlag(argument)) {
      words.push(argument)
      index++
      continue
    }
    const reads = argument.startsWith("--")
      ? Result.map(readLong(argv, index, table), (read) => [read])
      : readShorts(argv, index, table)
    if (Result.isFailure(reads)) return Result.fail(reads.failure)
    given.push(...reads.success.map((read) => read.given))
    index = reads.success.at(-1)?.next ?? index + 1
  }
  return Result.succeed({ given, words, openWords: words.length })
}

export const isGiven = (args: Arguments, name: string): boolean => args.given.some(({ flag }) => flag.name === name)
