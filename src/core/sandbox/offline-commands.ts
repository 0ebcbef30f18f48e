/**
 * Commands that talk to nobody. For them no proxy is started, which saves the start of Node inside the sandbox. It
 * grants nothing: a command that is wrongly among them has no network at all.
 */
import { programName, readCommand } from "../permission/bash/parse/command-segments.ts"

const NETWORKLESS = new Set(
  (
    "[ basename cat cd chmod chown cksum cmp comm cp cut date diff dirname du echo egrep expr false fgrep file find fold " +
    "grep head hexdump id join jq kill ln ls md5sum mkdir mktemp mv nl od paste printf ps pwd readlink realpath rev rg " +
    "rm rmdir sed seq sha1sum sha256sum sleep sort stat strings tac tail tee test touch tr tree true truncate type " +
    "uname uniq wait wc which whoami xxd :"
  ).split(" ")
)

/** A part of `find` that runs something else. */
const RUNS_ANOTHER = /^-(?:exec|ok)/

export const isNetworkless = (command: string): boolean => {
  const { segments, complete } = readCommand(command)
  return (
    complete &&
    segments.length > 0 &&
    segments.every(
      (segment) => NETWORKLESS.has(programName(segment)) && !segment.words.some((word) => RUNS_ANOTHER.test(word))
    )
  )
}
