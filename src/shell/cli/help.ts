import { COMMANDS, type Command, type CommandFlag, type CommandName, type SubCommand } from "./tables/commands.ts"
import { FLAGS, GROUPS, longsOf, shortsOf, type Flag, type Group } from "./tables/flags.ts"
import { LATER_FLAGS } from "./tables/later-flags.ts"
import { HELP_FLAG, usageOf } from "./parse-command.ts"

/** Help texts, made from the same tables the parser reads. Loads no application module. */
export const HELP_COLUMNS = 100
const FLAG_COLUMNS = 40

const HEADINGS: Record<Group, { readonly title: string; readonly example: string }> = {
  session: { title: "Session", example: 'nacre -p --continue "and now the tests"' },
  model: { title: "Model", example: 'nacre --model offline "hello"' },
  permissions: { title: "Permissions", example: 'nacre -p "run the tests" --allowedTools "Bash(npm test *)" Read' },
  prompt: { title: "System prompt", example: 'nacre --append-system-prompt "Answer in French." "hello"' },
  output: { title: "Input and output", example: 'nacre -p "list the exports" --output-format json --max-turns 5' },
  config: { title: "Configuration", example: 'nacre --bare -p "what does main.ts do?"' },
  misc: { title: "Other", example: 'nacre --record ./recording -p "hello"' }
}

const valueText = (flag: CommandFlag): string => {
  switch (flag.value.kind) {
    case "none":
      return ""
    case "choice":
      return ` ${flag.value.choices.join("|")}`
    case "optional":
      return flag.value.attached === true ? `[=${flag.value.label}]` : ` [${flag.value.label}]`
    case "list":
      return ` <${flag.value.label}>${flag.value.greedy ? "..." : ""}`
    case "text":
    case "number":
      return ` <${flag.value.label}>`
  }
}

const wrap = (words: string, width: number): ReadonlyArray<string> => {
  const lines: Array<string> = []
  let line = ""
  for (const word of words.split(" ")) {
    if (line !== "" && line.length + 1 + word.length > width) {
      lines.push(line)
      line = word
    } else line = line === "" ? word : `${line} ${word}`
  }
  return [...lines, line]
}

const flagLines = (flag: CommandFlag, note = ""): ReadonlyArray<string> => {
  const names = [...shortsOf(flag), ...longsOf(flag)].join(", ")
  const left = `  ${names}${valueText(flag)}`
  return entry(left, `${flag.help}${flag.printOnly === true ? " (print mode)" : ""}${note}`)
}

const groupLines = (group: Group, all: boolean): ReadonlyArray<string> => {
  const flags: ReadonlyArray<Flag> = FLAGS
  const listed = flags.filter((flag) => flag.group === group && (all || flag.hidden !== true))
  const { title, example } = HEADINGS[group]
  return ["", `${title}:`, ...listed.flatMap((flag) => flagLines(flag)), `  Example: ${example}`]
}

const laterLines = (): ReadonlyArray<string> => [
  "",
  "Accepted without effect in this version:",
  ...LATER_FLAGS.flatMap((flag) => flagLines(flag))
]

/** A name on the left and its words on the right. */
const entry = (left: string, help: string): ReadonlyArray<string> => {
  const indent = " ".repeat(FLAG_COLUMNS)
  const [first = "", ...rest] = wrap(help, HELP_COLUMNS - FLAG_COLUMNS)
  const head = left.length < FLAG_COLUMNS ? [left.padEnd(FLAG_COLUMNS) + first] : [left, indent + first]
  return [...head, ...rest.map((line) => indent + line)]
}

const leftOf = (command: Command): string => {
  const [only] = command.subs
  if (only?.name === "") return `  ${usageOf(command, only).replace("nacre ", "")}`
  return `  ${command.name} ${command.subs.map(({ name }) => name).join("|")}`
}

const programHelp = (all: boolean): ReadonlyArray<string> => [
  "Usage: nacre [flags] [prompt]",
  "       nacre <command> [arguments]",
  "",
  "A coding agent for the terminal. Flags may stand before or after the prompt; -- ends the flags.",
  "",
  "Commands:",
  ...COMMANDS.flatMap((command) => entry(leftOf(command), command.help)),
  ...GROUPS.flatMap((group) => groupLines(group, all)),
  ...(all ? laterLines() : [])
]

const subHelp = (command: Command, sub: SubCommand): ReadonlyArray<string> => [
  `Usage: ${usageOf(command, sub)}`,
  "",
  ...wrap(`${sub.help}.`, HELP_COLUMNS),
  "",
  "Flags:",
  ...[...sub.flags, HELP_FLAG].flatMap((flag) => flagLines(flag)),
  "",
  `Example: ${sub.example}`
]

const commandHelp = (command: Command, subName: string | undefined): ReadonlyArray<string> => {
  const sub = command.subs.find(({ name }) => name === (subName ?? ""))
  if (sub !== undefined) return subHelp(command, sub)
  return [
    `Usage: nacre ${command.name} <command> [flags] [arguments]`,
    "",
    ...wrap(`${command.help}.`, HELP_COLUMNS),
    "",
    "Commands:",
    ...command.subs.flatMap((each) => entry(`  ${usageOf(command, each).replace(/^nacre \S+ /, "")}`, each.help)),
    "",
    `More about one: nacre ${command.name} <command> --help`,
    `Example: ${command.subs[0]?.example ?? ""}`
  ]
}

export interface HelpTopic {
  readonly command?: CommandName
  readonly sub?: string
  readonly all: boolean
}

/** Help for the program or one command, ending with a newline. */
export const helpText = ({ command, sub, all }: HelpTopic): string => {
  const found: Command | undefined = COMMANDS.find(({ name }) => name === command)
  return `${(found === undefined ? programHelp(all) : commandHelp(found, sub)).join("\n")}\n`
}
