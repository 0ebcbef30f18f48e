import { Result } from "effect"
import { cutArguments, isGiven, type Arguments } from "./arguments.ts"
import { buildStart } from "./build-start.ts"
import { COMMANDS, RESERVED_COMMANDS, type Command } from "./tables/commands.ts"
import { findConflict, type Running } from "./conflicts.ts"
import { nearest } from "./nearest.ts"
import type { Invocation, Start } from "./options.ts"
import { parseCommand, usageOf } from "./parse-command.ts"
import { printableArgument, UsageError } from "./usage-error.ts"
import { checkValues, valuesOf, type Values } from "./values.ts"

/** What the parser must know about the world; everything else is in the arguments. */
export interface Terminal {
  readonly stdoutIsTerminal: boolean
}

type Outcome<A> = Result.Result<A, UsageError>

const fail = (what: string, why: string, fix: string): Result.Result<never, UsageError> =>
  Result.fail(new UsageError({ what, why, fix }))

const commandNamed = (word: string | undefined) => COMMANDS.find(({ name }) => name === word)

/** The command a start names with its first word; a word after `--` is always the prompt. */
const commandOf = (args: Arguments) => (args.openWords > 0 ? commandNamed(args.words[0]) : undefined)

const version = (args: Arguments): Outcome<Invocation> =>
  args.given.length > 1 || args.words.length > 0
    ? fail("--version takes no other argument", "it only prints the version", "nacre --version")
    : Result.succeed({ _tag: "Version" })

/** A command word that stands behind a flag: every command has flags of its own, so none of these can be meant. */
const misplaced = (found: Command, args: Arguments): Outcome<Invocation> => {
  const [first] = found.subs
  const usage = first === undefined ? `nacre ${found.name} --help` : usageOf(found, first)
  const flag = args.given[0]?.flag.name ?? ""
  const why = `flags of a command stand behind it; to send the word as a prompt put it after --`
  return fail(`${flag} cannot be used before ${found.name}`, why, usage)
}

const command = (found: (typeof COMMANDS)[number], argv: ReadonlyArray<string>): Outcome<Invocation> =>
  Result.map(parseCommand(found, argv), (parsed): Invocation =>
    parsed._tag === "Invoked"
      ? { _tag: "Command", command: found.name, invocation: parsed.invocation }
      : { _tag: "Help", all: false, command: found.name, ...(parsed.sub === undefined ? {} : { sub: parsed.sub }) }
  )

/** `nacre help` and `nacre help config set`; any other sentence that begins so is a prompt. */
const askedHelp = ([first, word, sub, ...more]: ReadonlyArray<string>): Invocation | undefined => {
  if (first !== "help" || more.length > 0) return undefined
  if (word === undefined) return { _tag: "Help", all: false }
  const found = commandNamed(word)
  if (found === undefined) return undefined
  const subs: Command["subs"] = found.subs
  if (sub === undefined) return { _tag: "Help", all: false, command: found.name }
  return subs.some(({ name }) => name === sub) ? { _tag: "Help", all: false, command: found.name, sub } : undefined
}

const BARE_WORD = /^[A-Za-z][\w-]*$/

/** A slip in a command word must not become a paid prompt. */
const strayWord = (args: Arguments): UsageError | undefined => {
  const word = args.words[0]
  if (word === undefined || args.openWords === 0 || !BARE_WORD.test(word)) return undefined
  if (RESERVED_COMMANDS.has(word)) {
    return new UsageError({
      what: `${word} is not a command of this version`,
      why: "the word is kept for a later one",
      fix: `see \`nacre --help\`; to send it as a prompt: nacre -- ${word}`
    })
  }
  const meant =
    word === "version"
      ? "--version"
      : nearest(
          word,
          COMMANDS.map(({ name }) => name),
          2
        )
  if (meant === undefined) return undefined
  const others = args.words.slice(1).map((other) => ` ${printableArgument(other)}`)
  const prompt = others.length === 0 ? word : `"${word}${others.join("")}"`
  return new UsageError({
    what: `unknown command ${word}`,
    why: "no command has that name",
    fix: `Did you mean nacre ${meant}${others.join("")}? To send it as a prompt: nacre -- ${prompt}`
  })
}

const wordError = (args: Arguments): UsageError | undefined => {
  const stray = strayWord(args)
  if (stray !== undefined || args.words.length <= 1) return stray
  return new UsageError({
    what: `${args.words.length} prompts given`,
    why: `"${printableArgument(args.words[1] ?? "")}" is one argument too many`,
    fix: "put the whole prompt in quotes"
  })
}

const printCause = (values: Values, terminal: Terminal): Start["printBecause"] => {
  if (values.has("--print")) return "flag"
  const isStream = (name: "--input-format" | "--output-format") => values.text(name) === "stream-json"
  if (isStream("--input-format") && isStream("--output-format")) return "streamJson"
  return terminal.stdoutIsTerminal ? undefined : "stdoutIsNoTerminal"
}

const start = (args: Arguments, terminal: Terminal): Outcome<Invocation> => {
  const values = valuesOf(args)
  const printBecause = printCause(values, terminal)
  const running: Running = {
    print: printBecause !== undefined,
    streamInput: values.text("--input-format") === "stream-json",
    streamOutput: values.text("--output-format") === "stream-json"
  }
  const error = wordError(args) ?? checkValues(args) ?? findConflict(args, running)
  return error === undefined ? buildStart({ args, values, printBecause }) : Result.fail(error)
}

/** The whole command line, without the program's own name, as a typed invocation. */
export const parseArgv = (argv: ReadonlyArray<string>, terminal: Terminal): Outcome<Invocation> =>
  Result.gen(function* () {
    const named = commandNamed(argv[0])
    if (named !== undefined) return yield* command(named, argv.slice(1))
    const help = askedHelp(argv)
    if (help !== undefined) return help
    const args = yield* cutArguments(argv)
    const found = commandOf(args)
    const all = isGiven(args, "--all")
    if (isGiven(args, "--help")) {
      return { _tag: "Help" as const, all, ...(found === undefined ? {} : { command: found.name }) }
    }
    if (isGiven(args, "--version")) return yield* version(args)
    if (all) return yield* fail("--all cannot be used alone", "it belongs to --help", "nacre --help --all")
    return yield* found === undefined ? start(args, terminal) : misplaced(found, args)
  })
