import { hostileCharacters } from "./characters.ts"
import { noteCommand } from "./command-obstacles.ts"
import { placeCommands } from "./command-builder.ts"
import { splitBlindly, splitByQuotes } from "./lexical.ts"
import { type Lowering, mark, note } from "./lowering.ts"
import { lowerTree, nestedAt } from "./lower-walk.ts"
import { nestingNodes } from "./lower-word-nodes.ts"
import { firstDifference } from "./marks.ts"
import type { Obstacle, ShellProgram, SimpleCommand } from "../program.ts"
import { type Scan, scan } from "./scan.ts"
import type { SyntaxTree } from "../syntax.ts"

/** Limits of what can be allowed. Rules that deny or ask know none. */
const MAX_LENGTH = 10_000
const MAX_COMMANDS = 50
const MAX_DEPTH = 8

/** Text that may change the directory, after which `$PWD` is not what it was, or that sets it. */
const MOVES = /\b(?:cd|pushd|popd)\b|\bPWD\+?=/
const SETS_HOME = /\bHOME\+?=/

const newLowering = (text: string, tree: SyntaxTree, home: string, directory: string | undefined): Lowering => {
  const lowering: Lowering = {
    text,
    nesting: nestingNodes(tree.root),
    commands: [],
    enclosures: [],
    obstacles: [],
    marks: [],
    depth: 0,
    words: {
      text,
      home,
      setsHome: SETS_HOME.test(text),
      directory: MOVES.test(text) ? undefined : directory,
      nested: (at, isQuoted) => nestedAt(lowering, at, isQuoted),
      note: (kind, construct, at) => note(lowering, kind, construct, at)
    }
  }
  return lowering
}

/** Commands whose words are known: their stretch from the first to the last of them. */
const markCommands = (lowering: Lowering): void => {
  for (const { words, assignments } of lowering.commands) {
    const own = [...assignments, ...words]
    if (own.length === 0) continue
    const start = own.reduce((least, one) => Math.min(least, one.start), Infinity)
    mark(
      lowering,
      "command",
      start,
      own.reduce((most, one) => Math.max(most, one.end), 0)
    )
  }
}

const FIELD_SEPARATOR = /\$\{?[#!]?IFS\b|\bIFS\+?=/
const ZSH_FORMS = /~\[|\(e:|\(\+|\}\s*always\s*\{|<#/

/** What can be told from the text alone. */
const textObstacles = (text: string, { verbatim, marks }: Scan): ReadonlyArray<Obstacle> => {
  const found: Array<Obstacle> = [...hostileCharacters(text, verbatim)]
  const add = (kind: Obstacle["kind"], construct: string, at: number): void => {
    found.push({ kind, construct, column: at + 1 })
  }
  if (text.length > MAX_LENGTH) add("limit", `more than ${MAX_LENGTH} characters`, MAX_LENGTH)
  if (/^[\t|&;<>)-]/.test(text))
    add("construct", text.startsWith("\t") ? "tab at the start" : `${text.charAt(0)} at the start`, 0)
  const separator = FIELD_SEPARATOR.exec(text)
  if (separator !== null) add("construct", "IFS", separator.index)
  const zsh = ZSH_FORMS.exec(text)
  if (zsh !== null) add("construct", zsh[0], zsh.index)
  for (const { kind, start, end } of marks) {
    // A quote without its partner would open a quotation for a reader that does not know comments.
    if (kind === "comment" && hasOddQuotes(text.slice(start, end))) add("construct", "quote in a comment", start)
  }
  return found
}

/** The shell takes the line end away before it reads the name or the bracket, so that more belongs to the expansion. */
const SPLIT_EXPANSION = /\$\w*\\\n/g

const splitExpansion = (text: string, { verbatim }: Scan): number | undefined => {
  if (!text.includes("\\\n")) return undefined
  for (const { index } of text.matchAll(SPLIT_EXPANSION)) {
    if (!verbatim.some(({ start, end }) => start <= index && index < end)) return index
  }
  return undefined
}

const hasOddQuotes = (comment: string): boolean => /["'`]/.test(comment.replaceAll(/"[^"'`]*"|'[^"'`]*'|`[^"'`]*`/g, ""))

const limitObstacles = (commands: ReadonlyArray<SimpleCommand>): ReadonlyArray<Obstacle> => {
  const over = commands[MAX_COMMANDS]
  const deep = commands.find(({ place }) => place.depth > MAX_DEPTH)
  return [
    ...(over === undefined
      ? []
      : [{ kind: "limit" as const, construct: `more than ${MAX_COMMANDS} commands`, column: over.start + 1 }]),
    ...(deep === undefined
      ? []
      : [{ kind: "limit" as const, construct: `nesting deeper than ${MAX_DEPTH}`, column: deep.start + 1 }])
  ]
}

/** In order of the text, each once. */
const inOrder = (obstacles: ReadonlyArray<Obstacle>): ReadonlyArray<Obstacle> => {
  const seen = new Set<string>()
  return obstacles
    .toSorted((one, other) => one.column - other.column)
    .filter(({ kind, construct, column }) => {
      const key = `${column} ${kind} ${construct}`
      const isNew = !seen.has(key)
      seen.add(key)
      return isNew
    })
}

/** A file that is written to is not the program of the same name: both are kept apart from each other. */
const keyOf = ({ words, redirects }: SimpleCommand): string =>
  [...words, undefined, ...redirects.map(({ target }) => target)].map((word) => word?.literal ?? "").join("\0")

/** Commands that the rough readings see beyond the known ones. */
const guessed = (
  text: string,
  home: string,
  known: ReadonlyArray<SimpleCommand>,
  isBlind: boolean
): ReadonlyArray<SimpleCommand> => {
  const seen = new Set(known.map(keyOf))
  return [...splitByQuotes(text, home), ...(isBlind ? splitBlindly(text, home) : [])].filter((command) => {
    const key = keyOf(command)
    const isNew = !seen.has(key)
    seen.add(key)
    return isNew
  })
}

/** Without a tree there are only the words of the text. */
const unparsed = (text: string, home: string): ShellProgram => {
  const scanned = scan(text)
  const failure: Obstacle = { kind: "parse", construct: "text that could not be parsed", column: 1 }
  return {
    source: text,
    blank: false,
    commands: guessed(text, home, [], true),
    body: [],
    obstacles: inOrder([failure, ...textObstacles(text, scanned)])
  }
}

/** Reads a parsed text for the permission engine. `directory` is undefined when it is not known where the text runs. */
export const lower = (
  text: string,
  tree: SyntaxTree | undefined,
  home: string,
  directory: string | undefined
): ShellProgram => {
  if (tree === undefined) return unparsed(text, home)
  const lowering = newLowering(text, tree, home, directory)
  const { commands, enclosures, obstacles, marks } = lowering
  const body = lowerTree(lowering, tree.root)
  markCommands(lowering)
  placeCommands(commands, enclosures)
  for (const command of commands) {
    command.source = text.slice(command.start, command.end)
    noteCommand(lowering.words.note, command)
  }
  if (tree.hasError && !obstacles.some(({ kind }) => kind === "parse")) note(lowering, "parse", "something unexpected", 0)
  const scanned = scan(text)
  const { stopped } = scanned
  const difference = stopped === undefined ? firstDifference(marks, scanned.marks) : undefined
  if (difference !== undefined) note(lowering, "disagreement", "two readings of the text differ", difference)
  const split = splitExpansion(text, scanned)
  if (split !== undefined) note(lowering, "parse", "line continuation in an expansion", split)
  const isBroken = obstacles.some(({ kind }) => kind === "parse" || kind === "limit" || kind === "disagreement")
  const found = commands.toSorted((one, other) => one.start - other.start)
  const limits = limitObstacles(found)
  return {
    source: text,
    blank: scanned.blank && commands.length === 0,
    // Where only the tree went all the way, it may still hide a command from rules that deny.
    commands: isBroken || stopped !== undefined ? [...found, ...guessed(text, home, found, isBroken)] : found,
    // Nobody has to follow a structure that is too large to be allowed.
    body: limits.length === 0 ? body : [{ kind: "opaque", construct: "too many commands", commands: found }],
    // What the second reading does not know comes last, since it mostly repeats the others.
    obstacles: [
      ...inOrder([...obstacles, ...textObstacles(text, scanned), ...limits]),
      ...(stopped === undefined
        ? []
        : [{ kind: "construct" as const, construct: stopped.construct, column: stopped.at + 1 }])
    ]
  }
}
