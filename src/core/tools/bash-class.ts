/** How a command is presented: as a search, a read, a listing, or as one from which no output is expected. */
import { programName, readCommand } from "./bash-segments.ts"

const words = (list: string): ReadonlySet<string> => new Set(list.split(" "))

const SEARCH = words("find grep rg ag ack locate which whereis")
const READ = words("cat head tail less more wc stat file strings jq awk cut sort uniq tr")
const LIST = words("ls tree du")
const NEUTRAL = words("echo printf true false :")
const SILENT = words("mv cp rm mkdir rmdir chmod chown chgrp touch ln cd export unset wait")

export interface DisplayClass {
  readonly isSearch: boolean
  readonly isRead: boolean
  readonly isList: boolean
}

const NO_CLASS: DisplayClass = { isSearch: false, isRead: false, isList: false }

/** Names of the parts that count: undefined when the command is not fully understood or writes to a file. */
const telling = (command: string): ReadonlyArray<string> | undefined => {
  const { segments, complete } = readCommand(command)
  if (!complete || segments.some((segment) => segment.writesFile)) return undefined
  return segments.map(programName).filter((name) => !NEUTRAL.has(name))
}

export const displayClass = (command: string): DisplayClass => {
  const names = telling(command) ?? []
  const looks = (name: string): boolean => SEARCH.has(name) || READ.has(name) || LIST.has(name)
  if (names.length === 0 || !names.every(looks)) return NO_CLASS
  return {
    isSearch: names.some((name) => SEARCH.has(name)),
    isRead: names.some((name) => READ.has(name)),
    isList: names.some((name) => LIST.has(name))
  }
}

export const expectsNoOutput = (command: string): boolean => {
  const names = telling(command) ?? []
  return names.length > 0 && names.every((name) => SILENT.has(name))
}
