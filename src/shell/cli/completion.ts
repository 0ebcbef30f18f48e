import { MODEL_ALIASES } from "../../core/model/catalog/model-alias.ts"
import { COMMANDS, type Command, type CommandFlag } from "./tables/commands.ts"
import { type Flag, FLAGS, longsOf, shortsOf } from "./tables/flags.ts"
import { HELP_FLAG } from "./parse-command.ts"
import type { SHELLS } from "./tables/completion.ts"

/** Completion scripts, made from the tables that parsing and help read. Loads no application module. */
export type Shell = (typeof SHELLS)[number]

const TREE: ReadonlyArray<Command> = COMMANDS
const TABLE: ReadonlyArray<Flag> = FLAGS
const VISIBLE = TABLE.filter(({ hidden }) => hidden !== true)

const namesOf = (flags: ReadonlyArray<CommandFlag>): ReadonlyArray<string> =>
  flags.flatMap((flag) => [...longsOf(flag), ...shortsOf(flag)])

/** What may follow a flag, where that can be listed. */
const valuesOf = (flag: CommandFlag): ReadonlyArray<string> => {
  if (flag.value.kind === "choice") return flag.value.choices
  return ["--model", "--fallback-model"].includes(flag.name) ? [...MODEL_ALIASES, "offline"] : []
}

interface Valued {
  readonly names: ReadonlyArray<string>
  readonly values: ReadonlyArray<string>
}

/** Flags with listed values, over all commands: a name means the same everywhere. */
export const valuedFlags = (): ReadonlyArray<Valued> => {
  const byName = new Map<string, Valued>()
  for (const flag of [...VISIBLE, ...TREE.flatMap(({ subs }) => subs.flatMap(({ flags }) => flags))]) {
    const values = valuesOf(flag)
    if (values.length > 0) byName.set(flag.name, { names: namesOf([flag]), values })
  }
  return [...byName.values()]
}

/** Words after `nacre`, after a command, and after a sub-command. The key is what was typed before, with blanks. */
export const wordsByPlace = (): ReadonlyMap<string, ReadonlyArray<string>> => {
  const places = new Map<string, ReadonlyArray<string>>()
  for (const command of TREE) {
    for (const sub of command.subs) {
      const place = sub.name === "" ? command.name : `${command.name} ${sub.name}`
      places.set(place, namesOf([...sub.flags, HELP_FLAG]))
    }
    if (!places.has(command.name))
      places.set(command.name, [...command.subs.map(({ name }) => name), ...namesOf([HELP_FLAG])])
  }
  places.set("", [...TREE.map(({ name }) => name), ...namesOf(VISIBLE)])
  return places
}

const bashFunction = (): ReadonlyArray<string> => [
  "_nacre() {",
  '  local cur="${COMP_WORDS[COMP_CWORD]}" prev="${COMP_WORDS[COMP_CWORD-1]}" command="" sub="" words=""',
  '  if [ "$cur" = "=" ]; then cur=""; fi',
  '  if [ "$prev" = "=" ]; then prev="${COMP_WORDS[COMP_CWORD-2]}"; fi',
  '  if [ "$COMP_CWORD" -gt 1 ]; then command="${COMP_WORDS[1]}"; fi',
  '  if [ "$COMP_CWORD" -gt 2 ]; then sub="${COMP_WORDS[2]}"; fi',
  '  case "$prev" in',
  ...valuedFlags().map(({ names, values }) => `    ${names.join("|")}) words="${values.join(" ")}" ;;`),
  "    *)",
  '      case "$command $sub" in',
  ...[...wordsByPlace()]
    .filter(([place]) => place !== "")
    .map(([place, words]) => {
      const pattern = place.includes(" ") ? `"${place}"` : `"${place} "*`
      return `        ${pattern}) words="${words.join(" ")}" ;;`
    }),
  `        *) words="${(wordsByPlace().get("") ?? []).join(" ")}" ;;`,
  "      esac ;;",
  "  esac",
  '  COMPREPLY=($(compgen -W "$words" -- "$cur"))',
  "}",
  "complete -o default -F _nacre nacre"
]

const fishText = (text: string): string => `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`

const fishFlag = (flag: CommandFlag, condition: string): ReadonlyArray<string> => {
  const values = valuesOf(flag)
  const takes = flag.value.kind === "none" || flag.value.kind === "optional" ? "" : values.length === 0 ? " -r" : " -x"
  const listed = values.length === 0 ? "" : ` -a ${fishText(values.join(" "))}`
  const shorts = shortsOf(flag)
    .map((short) => ` -s ${short.slice(1)}`)
    .join("")
  return longsOf(flag).map(
    (long) =>
      `complete -c nacre -n ${fishText(condition)} -l ${long.slice(2)}${shorts}${takes}${listed} -d ${fishText(flag.help)}`
  )
}

const fishScript = (): ReadonlyArray<string> => [
  ...TREE.map(({ name, help }) => `complete -c nacre -n __fish_use_subcommand -a ${name} -d ${fishText(help)}`),
  ...VISIBLE.flatMap((flag) => fishFlag(flag, "__fish_use_subcommand")),
  ...TREE.flatMap((command) =>
    command.subs.flatMap((sub) => {
      const after = `__fish_seen_subcommand_from ${command.name}`
      if (sub.name === "") return sub.flags.flatMap((flag) => fishFlag(flag, after))
      const names = command.subs.map(({ name }) => name).join(" ")
      return [
        `complete -c nacre -f -n ${fishText(`${after}; and not __fish_seen_subcommand_from ${names}`)} -a ${sub.name} -d ${fishText(sub.help)}`,
        ...sub.flags.flatMap((flag) => fishFlag(flag, `${after}; and __fish_seen_subcommand_from ${sub.name}`))
      ]
    })
  )
]

const shellText = (text: string): string => `'${text.replaceAll("'", "''")}'`

const table = (entries: Iterable<readonly [string, ReadonlyArray<string>]>): string =>
  `@{ ${[...entries].map(([key, words]) => `${shellText(key)} = @(${words.map(shellText).join(", ")})`).join("; ")} }`

const powershellScript = (): ReadonlyArray<string> => [
  "Register-ArgumentCompleter -Native -CommandName nacre -ScriptBlock {",
  "  param($wordToComplete, $commandAst, $cursorPosition)",
  `  $places = ${table(wordsByPlace())}`,
  `  $values = ${table(valuedFlags().flatMap(({ names, values }) => names.map((name) => [name, values] as const)))}`,
  "  $typed = @($commandAst.CommandElements | Select-Object -Skip 1 | ForEach-Object { $_.ToString() })",
  "  if ($wordToComplete -ne '') { $typed = @($typed | Select-Object -SkipLast 1) }",
  "  $words = $places['']",
  "  $two = ($typed | Select-Object -First 2) -join ' '",
  "  if ($typed.Count -gt 0 -and $places.ContainsKey($typed[0])) { $words = $places[$typed[0]] }",
  "  if ($typed.Count -gt 1 -and $places.ContainsKey($two)) { $words = $places[$two] }",
  "  if ($typed.Count -gt 0 -and $values.ContainsKey($typed[-1])) { $words = $values[$typed[-1]] }",
  '  $words | Where-Object { $_ -like "$wordToComplete*" }',
  "}"
]

const SCRIPTS: Readonly<Record<Shell, () => ReadonlyArray<string>>> = {
  bash: bashFunction,
  // zsh can run what was written for bash.
  zsh: () => ["autoload -U +X bashcompinit && bashcompinit", ...bashFunction()],
  fish: fishScript,
  powershell: powershellScript
}

export const completionScript = (shell: Shell): string => `${SCRIPTS[shell]().join("\n")}\n`
