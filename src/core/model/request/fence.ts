import { text, type TextBlock } from "../../domain/block.ts"

/**
 * The border between our own words and words from elsewhere. A reminder speaks with our voice, so text that did not
 * come from us or the user must not be able to open or close one.
 */
const REMINDER_TAG = /<(\s*\/?\s*system-reminder)/gi

/** Running it twice changes nothing more. */
export const escapeReminders = (value: string): string =>
  value.includes("<") ? value.replace(REMINDER_TAG, "&lt;$1") : value

export const reminder = (value: string): TextBlock => text(`<system-reminder>\n${value.trim()}\n</system-reminder>`)

const longestRun = (value: string): number =>
  Array.from(value.matchAll(/`+/g)).reduce((longest, [run]) => Math.max(longest, run.length), 0)

/** Foreign text as data: inside a fence that the text itself cannot close. */
export const fenceText = (value: string): string => {
  const fence = "`".repeat(Math.max(3, longestRun(value) + 1))
  return `${fence}\n${escapeReminders(value).replace(/\n+$/, "")}\n${fence}`
}

const CONTROL = /[\p{Cc}\u2028\u2029]+/gu

/** A foreign name (path, branch, subject) on one line, without characters that steer a terminal or a parser. */
export const oneLine = (value: string): string => escapeReminders(value.replace(CONTROL, " ").trim())
