import { textOf } from "../arguments/arguments.ts"
import type { Word } from "../program.ts"

/** Tests and actions of find that only look, and whether they take a word. */
const PLAIN = new Set(
  (
    "-print -print0 -ls -prune -quit -depth -xdev -mount -empty -readable -writable -executable -nouser -nogroup " +
    "-true -false -daystart -noleaf -o -or -a -and -not ! ( ) ,"
  ).split(" ")
)

const VALUED = new Set(
  (
    "-name -iname -path -ipath -wholename -iwholename -regex -iregex -lname -ilname -type -xtype -maxdepth -mindepth " +
    "-size -mtime -mmin -atime -amin -ctime -cmin -newer -anewer -cnewer -perm -user -group -uid -gid -links -inum " +
    "-samefile -fstype -used -regextype -printf"
  ).split(" ")
)

const isValued = (text: string): boolean => VALUED.has(text) || /^-newer[aBcm][aBcmt]$/.test(text)

/** Why this call of find could do more than look. */
export const findProblem = (words: ReadonlyArray<Word>, at: number): string | undefined => {
  let inTests = false
  for (let index = at + 1; index < words.length; index++) {
    const word = words[index]
    if (word === undefined) break
    const text = textOf(word)
    if (word.glob) return `The pattern ${word.source} is not quoted`
    if (!inTests && (text === "-H" || text === "-P")) continue
    inTests ||= /^(?:-|[(!,]$)/.test(text)
    if (!inTests) continue
    if (isValued(text)) {
      index++
      if (words[index] === undefined) return `${text} of find has no argument`
      if (words[index]?.glob === true) return `The pattern ${words[index]?.source ?? ""} is not quoted`
    } else if (!PLAIN.has(text)) return `${text} of find is not known to be harmless`
  }
  return undefined
}
