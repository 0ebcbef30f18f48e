import type { Arguments } from "./arguments.ts"

/** What a script of sed does, command by command. */
export interface SedCommand {
  readonly name: string
  /** A file, code, a label or the flags of a substitution. */
  readonly argument: string
}

const NUMBER = /\d+(?:~\d+)?|\$/y
const SECOND = /[+~]\d+/y
const PLAIN = "=dDgGhHnNpPxzF"
const COUNTED = /[lLqQ]\s*\d*/y
const LABELLED = /[:btTv][^;\n}]*/y
const LINE = /[^\n]*/y
/** Text goes on after a line that ends in a backslash. */
const TEXT = /(?:\\\n|[^\n])*/y
const BLANK = /[ \t]*/y
const FLAGS = /[gpiImM0-9e]*/y
const END = /[ \t]*(?:[;\n]|(?=[}#])|$)/y

/** One script, read from the start; a place that is not understood ends the reading. */
class Reader {
  at = 0
  constructor(readonly text: string) {}

  /** What the pattern matches here, taken; undefined when it does not. */
  take(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.at
    const found = pattern.exec(this.text)?.[0]
    if (found !== undefined) this.at += found.length
    return found
  }

  /** Up to and with the next `delimiter`. Implementations disagree about one inside brackets. */
  section(delimiter: string, isPattern: boolean): boolean {
    while (this.at < this.text.length) {
      const character = this.text.charAt(this.at)
      if (character === "\\") this.at += 2
      else if (character === delimiter) {
        this.at += 1
        return true
      } else if (character === "[" && isPattern) {
        const inner = /\[\^?\]?[^\]]*\]/y
        inner.lastIndex = this.at
        const found = inner.exec(this.text)?.[0]
        if (found === undefined || found.includes(delimiter) || /[\\[]/.test(found.slice(1))) return false
        this.at += found.length
      } else this.at += 1
    }
    return false
  }

  address(): boolean {
    if (this.take(NUMBER) !== undefined) return true
    const first = this.text.charAt(this.at)
    if (first !== "/" && first !== "\\") return true
    const delimiter = first === "/" ? "/" : this.text.charAt(this.at + 1)
    this.at += first === "/" ? 1 : 2
    if (delimiter === "" || !this.section(delimiter, true)) return false
    this.take(/[IM]*/y)
    return true
  }

  addresses(): boolean {
    if (!this.address()) return false
    this.take(BLANK)
    if (this.text.charAt(this.at) === ",") {
      this.at += 1
      this.take(BLANK)
      if (this.take(SECOND) === undefined && !this.address()) return false
    }
    this.take(/[ \t!]*/y)
    return true
  }

  /** The command at this place; undefined when it is not understood. */
  command(): SedCommand | undefined {
    const name = this.text.charAt(this.at)
    if (name === "s" || name === "y") return this.substitution(name)
    if (/[lLqQ]/.test(name)) return { name, argument: this.take(COUNTED) ?? "" }
    if (/[:btTv]/.test(name)) return { name, argument: this.take(LABELLED) ?? "" }
    this.at += 1
    if (name !== "" && PLAIN.includes(name)) return { name, argument: "" }
    if (/[rRwWe]/.test(name)) return { name, argument: (this.take(LINE) ?? "").trim() }
    return /[aic]/.test(name) ? { name, argument: this.take(TEXT) ?? "" } : undefined
  }

  substitution(name: string): SedCommand | undefined {
    const delimiter = this.text.charAt(this.at + 1)
    this.at += 2
    if (/^[\s\\]?$/.test(delimiter)) return undefined
    if (!this.section(delimiter, name === "s") || !this.section(delimiter, false)) return undefined
    if (name === "y") return { name, argument: "" }
    const argument = this.take(FLAGS) ?? ""
    return this.text.charAt(this.at) === "w" ? { name, argument: `${argument}${this.take(LINE) ?? ""}` } : { name, argument }
  }
}

/** The commands of a script; undefined when something in it is not understood. */
export const readSedScript = (script: string): ReadonlyArray<SedCommand> | undefined => {
  const reader = new Reader(script)
  const commands: Array<SedCommand> = []
  for (;;) {
    reader.take(/[\s;}]*/y)
    if (reader.at >= script.length) return commands
    if (!reader.addresses()) return undefined
    if (reader.take(/#[^\n]*/y) !== undefined) continue
    if (reader.take(/\{/y) !== undefined) continue
    const command = reader.command()
    if (command === undefined || (reader.at < script.length && reader.take(END) === undefined)) return undefined
    commands.push(command)
  }
}

/** Looks like a command or a flag that runs something, in a script that is not understood. */
const MAY_RUN = /(?:^|[^\w\s]|[\d\s])[gpiImM0-9]*e/

/** Whether the script starts programs. */
export const sedRuns = (script: string): boolean => {
  const commands = readSedScript(script)
  if (commands === undefined) return MAY_RUN.test(script)
  return commands.some(({ name, argument }) => name === "e" || (name === "s" && /^[^w]*e/.test(argument)))
}

export interface SedFile {
  readonly file: string
  readonly access: "read" | "write" | "maybe"
}

/** Behind any letter that may be a command with a file, in a script that is not understood. */
const MAY_NAME = /[rRwW][ \t]*([^\n]+)/g

/** The files that the script itself names. */
export const sedFiles = (script: string): ReadonlyArray<SedFile> => {
  const commands = readSedScript(script)
  if (commands === undefined) {
    return Array.from(script.matchAll(MAY_NAME), ([, file = ""]) => ({ file: file.trim(), access: "maybe" }))
  }
  return commands.flatMap(({ name, argument }): ReadonlyArray<SedFile> => {
    if (name === "r" || name === "R") return [{ file: argument, access: "read" }]
    if (name === "w" || name === "W") return [{ file: argument, access: "write" }]
    const written = name === "s" ? /w[ \t]*(.*)$/s.exec(argument)?.[1] : undefined
    return written === undefined ? [] : [{ file: written.trim(), access: "write" }]
  })
}

const SCRIPT_FLAGS = "-e --expression"

export const sedScripts = (given: Arguments): ReadonlyArray<string> => {
  const flagged = given.flags.flatMap(({ name, value }) =>
    SCRIPT_FLAGS.split(" ").includes(name) && value !== undefined ? [value] : []
  )
  const [first] = given.operands
  return flagged.length > 0 ? flagged : first?.value === undefined ? [] : [first.value]
}
