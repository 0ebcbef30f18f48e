import type { PermissionAnswer } from "../../../core/loop/machine/event.ts"

/** A question in plain lines, answered by typing one. */
export interface Dialog<A = PermissionAnswer> {
  readonly lines: ReadonlyArray<string>
  /** How to answer, said last and again after an answer that was not understood. */
  readonly hint: string
  readonly read: (line: string) => Reading<A>
}

/** What a typed line did. */
export type Reading<A = PermissionAnswer> =
  | { readonly _tag: "Answered"; readonly answer: A }
  | { readonly _tag: "Next"; readonly dialog: Dialog<A> }
  | { readonly _tag: "Again"; readonly why: string }

export interface DialogOptions {
  /** The key that takes the whole turn back. */
  readonly cancelKey: string
  /** The directory in which a call would run, and how far it would be held back. */
  readonly where?: string
}

export const numberLabels = (labels: ReadonlyArray<string>): ReadonlyArray<string> =>
  labels.map((label, index) => `${index + 1}. ${label}`)

/** The numbers that can be typed: `1-3`, or `1, 3` where one is not offered. */
export const keysOf = (choices: ReadonlyArray<{ readonly key: string }>): string => {
  const keys = choices.map(({ key }) => key)
  const isWhole = keys.every((key, index) => key === String(index + 1))
  return isWhole ? `1-${keys.length}` : keys.join(", ")
}

const NUMBER = /^\d+$/

/** The index a number chooses; undefined for text that is not a number, null for a number that chooses nothing. */
export const chosenIndex = (text: string, count: number): number | null | undefined => {
  if (!NUMBER.test(text)) return undefined
  const index = Number(text) - 1
  return index >= 0 && index < count ? index : null
}
