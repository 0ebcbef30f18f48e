import { isDescriptor } from "../touches/redirects.ts"
import { MARKED_VALUE } from "../parse/command-obstacles.ts"
import { gitVerbAt } from "../touches/operands-git.ts"
import type { Assignment, Redirect, Word } from "../program.ts"
import { isHarmlessVariable, VERB_PROGRAMS } from "../tables/programs.ts"

/** What every proof for an allow asks of words, assignments and redirects first. All answers are reasons against. */

/** A flag whose name is written plainly; only the value behind `=` may be quoted. */
const NAMED_FLAG = /^--?[A-Za-z0-9][\w-]*=/

const looksLikeFlag = (value: string): boolean => /^--?[A-Za-z0-9]/.test(value)

/**
 * Why a word is not taken at its face value; undefined when it is. Everything up to the program at `at`, and the
 * sub-command behind it, must be written plainly; so must flags. Operands may be quoted.
 */
export const disguisedWord = (words: ReadonlyArray<Word>, index: number, at: number): string | undefined => {
  const word = words[index]
  if (word?.value === undefined) return undefined
  if (word.quoting === "strange") return `${word.source} is written in an unusual way`
  const isPlain = word.quoting === "bare"
  if (index <= at) return isPlain && !word.glob ? undefined : `The program name ${word.source} is disguised`
  if (isPlain) return undefined
  if (isVerb(words, index, at)) return `The sub-command ${word.source} is disguised`
  const isNamed = NAMED_FLAG.test(word.source) || MARKED_VALUE.test(word.source)
  return looksLikeFlag(word.value) && !isNamed ? `The flag ${word.source} is disguised` : undefined
}

const isVerb = (words: ReadonlyArray<Word>, index: number, at: number): boolean => {
  const program = words[at]?.value
  if (program === undefined || !VERB_PROGRAMS.has(program)) return false
  return index === (program === "git" ? gitVerbAt(words, at) : at + 1)
}

/** The first word that is not what it looks like, or that nobody knows before it runs. */
export const unplainWord = (words: ReadonlyArray<Word>, at: number): string | undefined => {
  for (let index = 0; index < words.length; index++) {
    const word = words[index]
    const isKnown = word?.value !== undefined
    const problem = isKnown ? disguisedWord(words, index, at) : `${word?.source ?? ""} is only known at run time`
    if (problem !== undefined) return problem
  }
  return undefined
}

/** A locale, a time zone or a terminal can be a file: then its contents matter. */
const LEADS_AWAY = /(?:^|[:=])\/|(?:^|\/)\.\.(?:\/|$)/

export const unsafeAssignment = (assignments: ReadonlyArray<Assignment>): string | undefined => {
  for (const { name, value, appends } of assignments) {
    if (value?.value === undefined || appends || !isHarmlessVariable(name) || LEADS_AWAY.test(value.value)) {
      return `Setting ${name} can change what the command does`
    }
  }
  return undefined
}

/** Why the target of a redirect is not understood. */
export const unsafeRedirect = (redirects: ReadonlyArray<Redirect>): string | undefined => {
  for (const redirect of redirects) {
    const { heredoc, operator, target, source } = redirect
    if (operator === "<<" || operator === "<<-") {
      if (heredoc !== undefined && heredoc.dynamic.length > 0) return "The here-document is expanded when it runs"
      continue
    }
    const value = target?.value
    if (value === undefined) return `The target of ${source} is only known at run time`
    if (operator === "<<<" || isDescriptor(redirect)) continue
    if (target?.glob === true || target?.quoting === "strange") return `The target of ${source} is not plain`
    if (value.startsWith("~")) return `The target of ${source} lies in a home that is not known`
    if (/^\/dev\/(?:tcp|udp)(?:\/|$)/.test(value)) return `${value} is a connection to the network`
  }
  return undefined
}
