import { notify, withoutCommands, type Update } from "../../model/update-result.ts"
import type { ExRequest, UserCommand, UserCommands } from "../../model/ex-command.ts"
import type { AppModel } from "../../model/app-model.ts"
import { openOverlay } from "../../model/open-overlay.ts"

/** `:command` and the like: names of the user's own for lines of the command line, as long as the program runs. */

const NAME = /^[A-Z][A-Za-z0-9]*$/
const COUNTS: Readonly<Record<string, UserCommand["arguments"]>> = { "0": "0", "1": "1", "?": "?", "*": "*", "+": "+" }

const fail = (model: AppModel, words: string): Update => withoutCommands(notify(model, words, { style: "error" }))

interface Attributes {
  readonly arguments: UserCommand["arguments"]
  readonly takesBang: boolean
  readonly rest: string
}

/** What stands before the name: `-nargs=N` and `-bang`. */
const readAttributes = (text: string): Attributes | { readonly problem: string } => {
  let read: Attributes = { arguments: "0", takesBang: false, rest: text }
  for (;;) {
    const [whole, word = ""] = /^(-\S*)\s*/.exec(read.rest) ?? []
    if (whole === undefined) return read
    const rest = read.rest.slice(whole.length)
    const count = /^-nargs=(.*)$/.exec(word)?.[1]
    const known = count === undefined ? undefined : COUNTS[count]
    if (known !== undefined) read = { ...read, arguments: known, rest }
    else if (count !== undefined) return { problem: `E176: -nargs= takes 0, 1, ?, * or +, not ${count}` }
    else if (word === "-bang") read = { ...read, takesBang: true, rest }
    else return { problem: `E181: ${word} is not understood here; -nargs= and -bang are` }
  }
}

const shown = ([name, { arguments: count, takesBang, line }]: readonly [string, UserCommand], width: number): string =>
  `${takesBang ? "!" : " "} ${name.padEnd(width)}  ${count}  ${line}`

const listed = (model: AppModel, prefix: string): Update => {
  const found = [...model.userCommands].filter(([name]) => name.startsWith(prefix)).toSorted(([a], [b]) => (a < b ? -1 : 1))
  if (found.length === 0) return withoutCommands(notify(model, "no command of yours found; :command Name line makes one"))
  const width = Math.max(...found.map(([name]) => name.length))
  const lines = found.map((each) => shown(each, width))
  return withoutCommands(
    openOverlay(model, { _tag: "Listing", title: "your commands: !, name, arguments, line", lines, top: 0 })
  )
}

/** `:command [-nargs=N] [-bang] Name line`; without a line it lists. */
export const defineCommand = (model: AppModel, { argument, bang }: Pick<ExRequest, "argument" | "bang">): Update => {
  const read = readAttributes(argument.trim())
  if ("problem" in read) return fail(model, read.problem)
  const [, name = "", line = ""] = /^(\S*)\s*([\s\S]*)$/.exec(read.rest) ?? []
  if (line === "") return listed(model, name)
  if (!NAME.test(name))
    return fail(model, `E183: ${name}: a command of your own begins with a capital letter and has letters and digits only`)
  if (model.userCommands.has(name) && !bang) return fail(model, `E174: ${name} is there already; :command! replaces it`)
  const command: UserCommand = { arguments: read.arguments, takesBang: read.takesBang, line }
  return withoutCommands({ ...model, userCommands: new Map(model.userCommands).set(name, command) })
}

export const deleteCommand = (model: AppModel, { argument }: Pick<ExRequest, "argument">): Update => {
  if (!model.userCommands.has(argument)) return fail(model, `E184: there is no command ${argument} of yours`)
  const userCommands = new Map(model.userCommands)
  userCommands.delete(argument)
  return withoutCommands({ ...model, userCommands })
}

/** The commands that a name may mean: itself, else those that it begins. */
export const commandsNamed = (commands: UserCommands, name: string): ReadonlyArray<readonly [string, UserCommand]> => {
  const exact = commands.get(name)
  if (exact !== undefined) return [[name, exact]]
  return NAME.test(name) ? [...commands].filter(([each]) => each.startsWith(name)) : []
}

const problemWith = (command: UserCommand, { argument, bang }: Pick<ExRequest, "argument" | "bang">): string | undefined => {
  if (bang && !command.takesBang) return "E477: this command takes no !"
  if (argument !== "" && command.arguments === "0") return "E488: this command takes no argument"
  return argument === "" && (command.arguments === "1" || command.arguments === "+")
    ? "E471: this command needs an argument"
    : undefined
}

/** The line that a command stands for here. */
export const expandUserCommand = (
  command: UserCommand,
  request: Pick<ExRequest, "argument" | "bang">
): { readonly line: string } | { readonly problem: string } => {
  const problem = problemWith(command, request)
  if (problem !== undefined) return { problem }
  const line = command.line.replaceAll(/<(args|bang|lt)>/gi, (_, word: string) =>
    word.toLowerCase() === "args" ? request.argument : word.toLowerCase() === "lt" ? "<" : request.bang ? "!" : ""
  )
  return { line }
}
