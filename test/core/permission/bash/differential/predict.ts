import { join, resolve } from "node:path"
import {
  DYNAMIC,
  type ShellProgram,
  type SimpleCommand,
  type Word
} from "../../../../../src/core/permission/bash/program.ts"
import type { Observation, Place, Run } from "./observe.ts"

/** Nothing stands in the way, dynamic arguments aside: those may become anything. */
export const isUnderstood = ({ obstacles }: ShellProgram): boolean => obstacles.every(({ kind }) => kind === "dynamic")

const escaped = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`)

/** The arguments a word may become, joined by line ends that no pattern crosses unless it is dynamic. */
const patternOf = ({ value, literal, glob }: Word): string => {
  if (value === undefined) return `(?:${literal.split(DYNAMIC).map(escaped).join("[^]*")}\0|(?:[^\0]*\0)*)`
  if (!glob) return `${escaped(value)}\0`
  // A pattern stays as it is or becomes names; which ones is not the analyser's business.
  return `(?:${escaped(value)}\0|(?:[^\0]*in\\.txt[^\0]*\0|[^\0]*\0)+)`
}

/** `time` and `command` run what stands behind them; where `time` is not a reserved word it is a program like others. */
const readings = ({ words }: SimpleCommand): ReadonlyArray<ReadonlyArray<Word>> => {
  const first = words.findIndex(({ value }) => value !== "time" && value !== "command")
  return first > 0 ? [words, words.slice(first)] : [words]
}

const assigned = ({ assignments }: SimpleCommand, name: string): string =>
  assignments.findLast((assignment) => assignment.name === name)?.value?.value ?? ""

const allows = (command: SimpleCommand, { argv, A, B }: Run): boolean => {
  if (assigned(command, "A") !== A || assigned(command, "B") !== B) return false
  const joined = argv.map((argument) => `${argument}\0`).join("")
  return readings(command).some((words) => new RegExp(`^${words.map(patternOf).join("")}$`).test(joined))
}

/** Runs that no command of the program accounts for; each command accounts for one, whichever way they are paired. */
const unexpectedRuns = ({ commands }: ShellProgram, runs: ReadonlyArray<Run>): ReadonlyArray<Run> => {
  const pairs = new Map<SimpleCommand, Run>()
  const pair = (run: Run, tried: Set<SimpleCommand>): boolean =>
    commands.some((command) => {
      if (tried.has(command) || !allows(command, run)) return false
      tried.add(command)
      const other = pairs.get(command)
      if (other !== undefined && !pair(other, tried)) return false
      pairs.set(command, run)
      return true
    })
  return runs.filter((run) => !pair(run, new Set()))
}

/** A lone `cd` goes home; following it is not the business of this test. */
const unexpectedFiles = (
  { commands }: ShellProgram,
  files: ReadonlyArray<string>,
  { work, home }: Place
): ReadonlyArray<string> => {
  const targets = commands.flatMap(({ redirects }) => redirects).map(({ target }) => target?.value ?? "")
  const places = commands.some(({ words }) => words.some(({ value }) => value === "cd")) ? [work, home] : [work]
  const expected = new Set(targets.flatMap((target) => places.map((place) => resolve(place, target))))
  return files.filter((file) => file !== join(work, "in.txt") && !expected.has(file))
}

const ORDINARY_NAME = /^[a-z][\w-]*$/

/**
 * Programs that ran and that no rule which denies could have seen: no command of the program has the name among its words,
 * and none begins with a word of which nothing is known. Whoever uses a strange name gives no rule a chance.
 */
export const unseenPrograms = ({ commands }: ShellProgram, { runs }: Observation): ReadonlyArray<string> => {
  const literals = new Set(commands.flatMap(({ words }) => words.map(({ literal }) => literal)))
  const heads = commands.map(({ words }) => words.find(({ literal }) => literal !== "time" && literal !== "command"))
  const isOpen = heads.some((head) => head !== undefined && (head.value === undefined || head.glob))
  const names = runs.map(({ argv }) => argv[0] ?? "").filter((name) => ORDINARY_NAME.test(name) && name !== "time")
  return isOpen ? [] : names.filter((name) => !literals.has(name))
}

/** What bash did that the analyser had not said; undefined when there is nothing. */
export const surprise = (program: ShellProgram, { runs, files }: Observation, place: Place): string | undefined => {
  const wrongRuns = unexpectedRuns(program, runs).map((run) => `ran ${JSON.stringify(run)}`)
  const wrongFiles = unexpectedFiles(program, files, place).map((file) => `made ${JSON.stringify(file)}`)
  const predicted = program.commands.map((command) =>
    JSON.stringify(command.words.map(({ value, literal }) => value ?? literal))
  )
  const wrong = [...wrongRuns, ...wrongFiles]
  return wrong.length === 0 ? undefined : `${wrong.join("\n")}\npredicted ${predicted.join(" ")}`
}
