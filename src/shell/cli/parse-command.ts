import { Result } from "effect"
import type { CommandInvocation } from "./options.ts"
import { cutArguments, flagTable, type Arguments, type Given } from "./arguments.ts"
import type { Command, CommandFlag, SubCommand } from "./tables/commands.ts"
import { nearest } from "./nearest.ts"
import { printableArgument, UsageError } from "./usage-error.ts"
import { checkValues } from "./values.ts"

/** A command line that begins with a command word. Each sub-command has its own flags and operands. */
export type ParsedCommand =
  | { readonly _tag: "Invoked"; readonly invocation: CommandInvocation }
  | { readonly _tag: "HelpWanted"; readonly sub?: string }

type Outcome<A> = Result.Result<A, UsageError>

export const HELP_FLAG: CommandFlag = { name: "--help", shorts: ["-h"], value: { kind: "none" }, help: "Print this help" }

const operandText = (sub: SubCommand): string =>
  sub.operands
    .map(({ label, optional, repeated }) => {
      const text = `<${label}>${repeated === true ? "..." : ""}`
      return optional === true ? `[${text}]` : text
    })
    .join(" ")

/** `nacre config set <key> <value>`, as help and errors show it. */
export const usageOf = (command: Command, sub: SubCommand): string =>
  ["nacre", command.name, sub.name, sub.flags.length > 0 ? "[flags]" : "", operandText(sub)]
    .filter((part) => part !== "")
    .join(" ")

const subNames = (command: Command): ReadonlyArray<string> => command.subs.map(({ name }) => name)

const unknownSub = (command: Command, word: string | undefined): UsageError => {
  const meant = word === undefined ? undefined : nearest(word, subNames(command), 2)
  return new UsageError({
    what:
      word === undefined
        ? `${command.name} alone does nothing`
        : `unknown command ${command.name} ${printableArgument(word)}`,
    why: `it takes one of: ${subNames(command).join(", ")}`,
    fix: meant === undefined ? `nacre ${command.name} --help` : `Did you mean nacre ${command.name} ${meant}?`
  })
}

const wantsHelp = (argv: ReadonlyArray<string>): boolean => {
  const end = argv.indexOf("--")
  return (end < 0 ? argv : argv.slice(0, end)).some((argument) => argument === "--help" || argument === "-h")
}

const findSub = (command: Command, argv: ReadonlyArray<string>): Outcome<SubCommand> => {
  const only = command.subs.find(({ name }) => name === "")
  if (only !== undefined) return Result.succeed(only)
  const found = command.subs.find(({ name }) => name === argv[0])
  return found === undefined ? Result.fail(unknownSub(command, argv[0])) : Result.succeed(found)
}

const countProblem = (command: Command, sub: SubCommand, words: ReadonlyArray<string>): UsageError | undefined => {
  const least = sub.operands.filter(({ optional }) => optional !== true).length
  const most = sub.operands.some(({ repeated }) => repeated === true) ? Infinity : sub.operands.length
  if (words.length >= least && words.length <= most) return undefined
  const counts = least === most ? `${least}` : most === Infinity ? `at least ${least}` : `${least} to ${most}`
  const name = sub.name === "" ? command.name : `${command.name} ${sub.name}`
  return new UsageError({
    what: `${name} takes ${counts} ${counts === "1" ? "argument" : "arguments"}`,
    why: words.length === 1 ? "1 was given" : `${words.length} were given`,
    fix: usageOf(command, sub)
  })
}

const valueOf = (flag: CommandFlag, given: ReadonlyArray<Given>): true | string | ReadonlyArray<string> => {
  const values = given.flatMap((each) => each.values)
  if (flag.value.kind === "none") return true
  return flag.value.kind === "list" ? values : (values.at(-1) ?? true)
}

const flagsOf = (args: Arguments): CommandInvocation["flags"] => {
  const flags = [...new Set(args.given.map(({ flag }) => flag))]
  return Object.fromEntries(
    flags.map((flag) => [
      flag.name.slice(2),
      valueOf(
        flag,
        args.given.filter((each) => each.flag === flag)
      )
    ])
  )
}

/** The arguments after the command word. */
export const parseCommand = (command: Command, argv: ReadonlyArray<string>): Outcome<ParsedCommand> =>
  Result.gen(function* () {
    if (wantsHelp(argv)) {
      const sub = command.subs.find(({ name }) => name !== "" && name === argv[0])
      return { _tag: "HelpWanted" as const, ...(sub === undefined ? {} : { sub: sub.name }) }
    }
    const sub = yield* findSub(command, argv)
    const rest = sub.name === "" ? argv : argv.slice(1)
    const help = ["nacre", command.name, sub.name, "--help"].filter((part) => part !== "").join(" ")
    const args = yield* cutArguments(rest, flagTable(sub.flags, help))
    const problem = countProblem(command, sub, args.words) ?? checkValues(args)
    if (problem !== undefined) return yield* Result.fail(problem)
    const invocation = { sub: sub.name === "" ? undefined : sub.name, operands: args.words, flags: flagsOf(args) }
    return { _tag: "Invoked" as const, invocation }
  })
