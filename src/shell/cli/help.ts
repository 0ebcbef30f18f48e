import { COMMANDS, type CommandName } from "./commands.ts"
import { FLAGS, GROUPS, longsOf, shortsOf, type Flag, type Group } from "./flags.ts"
import { LATER_FLAGS } from "./later-flags.ts"

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

const valueText = (flag: Flag): string => {
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

const flagLines = (flag: Flag, note = ""): ReadonlyArray<string> => {
  const names = [...shortsOf(flag), ...longsOf(flag)].join(", ")
  const left = `  ${names}${valueText(flag)}`
  const help = wrap(`${flag.help}${flag.printOnly === true ? " (print mode)" : ""}${note}`, HELP_COLUMNS - FLAG_COLUMNS)
  const indent = " ".repeat(FLAG_COLUMNS)
  const [first = "", ...rest] = help
  const head = left.length < FLAG_COLUMNS ? [left.padEnd(FLAG_COLUMNS) + first] : [left, indent + first]
  return [...head, ...rest.map((line) => indent + line)]
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

const programHelp = (all: boolean): ReadonlyArray<string> => [
  "Usage: nacre [flags] [prompt]",
  "       nacre <command> [arguments]",
  "",
  "A coding agent for the terminal. Flags may stand before or after the prompt; -- ends the flags.",
  "",
  "Commands:",
  ...COMMANDS.flatMap(({ name, arguments: args, help }) => {
    const left = `  ${name} ${args.map(({ label }) => `<${label}>`).join(" ")}`.padEnd(FLAG_COLUMNS)
    const [first = "", ...rest] = wrap(help, HELP_COLUMNS - FLAG_COLUMNS)
    return [left + first, ...rest.map((line) => " ".repeat(FLAG_COLUMNS) + line)]
  }),
  ...GROUPS.flatMap((group) => groupLines(group, all)),
  ...(all ? laterLines() : [])
]

const commandHelp = (name: CommandName): ReadonlyArray<string> => {
  const found = COMMANDS.find((command) => command.name === name) ?? COMMANDS[0]
  return [
    `Usage: nacre ${found.name} ${found.arguments.map(({ label }) => `<${label}>`).join(" ")}`,
    "",
    ...wrap(`${found.help}.`, HELP_COLUMNS),
    "",
    "Flags:",
    ...flagLines({ name: "--help", shorts: ["-h"], value: { kind: "none" }, group: "misc", help: "Print this help" }),
    "",
    `Example: ${found.example}`
  ]
}

export interface HelpTopic {
  readonly command?: CommandName
  readonly all: boolean
}

/** Help for the program or one command, ending with a newline. */
export const helpText = ({ command, all }: HelpTopic): string =>
  `${(command === undefined ? programHelp(all) : commandHelp(command)).join("\n")}\n`
