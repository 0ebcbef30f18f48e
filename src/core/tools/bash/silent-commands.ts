/** Commands from which no output is expected, so that their silence is nothing to wonder about. */
import { programName, readCommand } from "../../permission/bash/parse/command-segments.ts"

const words = (list: string): ReadonlySet<string> => new Set(list.split(" "))

const NEUTRAL = words("echo printf true false :")
const SILENT = words("mv cp rm mkdir rmdir chmod chown chgrp touch ln cd export unset wait")

/** Names of the parts that count: undefined when the command is not fully understood or writes to a file. */
const telling = (command: string): ReadonlyArray<string> | undefined => {
  const { segments, complete } = readCommand(command)
  if (!complete || segments.some((segment) => segment.writesFile)) return undefined
  return segments.map(programName).filter((name) => !NEUTRAL.has(name))
}

export const expectsNoOutput = (command: string): boolean => {
  const names = telling(command) ?? []
  return names.length > 0 && names.every((name) => SILENT.has(name))
}
