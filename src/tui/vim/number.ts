/** `<C-a> <C-x>`: adding to the number at or after the caret. */

interface FoundNumber {
  readonly start: number
  readonly end: number
  readonly text: string
}

const NUMBER = /0[xX][0-9a-fA-F]+|0[bB][01]+|-?\d+/g

/** The first number that ends behind the caret. */
const numberAt = (text: string, column: number): FoundNumber | undefined => {
  for (const match of text.matchAll(NUMBER)) {
    const end = match.index + match[0].length
    if (end > column) return { start: match.index, end, text: match[0] }
  }
  return undefined
}

const pad = (digits: string, length: number): string => digits.padStart(length, "0")

const inRadix = (found: string, by: number, rule: { prefix: string; radix: number }): string => {
  const digits = found.slice(rule.prefix.length)
  const old = BigInt(rule.radix === 16 ? `0x${digits}` : rule.radix === 2 ? `0b${digits}` : `0o${digits}`)
  const sum = BigInt.asUintN(64, old + BigInt(by))
  // The last letter among the digits says how to write all of them.
  const isUpper = /[A-F][0-9]*$/.test(digits)
  const made = sum.toString(rule.radix)
  return rule.prefix + pad(isUpper ? made.toUpperCase() : made, digits.length)
}

const OCTAL = /^0[0-7]+$/

const added = (found: string, by: number): string => {
  if (/^0[xX]/.test(found)) return inRadix(found, by, { prefix: found.slice(0, 2), radix: 16 })
  if (/^0[bB]/.test(found)) return inRadix(found, by, { prefix: found.slice(0, 2), radix: 2 })
  if (OCTAL.test(found)) return inRadix(found, by, { prefix: "0", radix: 8 })
  const sum = BigInt(found) + BigInt(by)
  const digits = found.replace("-", "")
  const size = String(sum < 0n ? -sum : sum)
  const padded = digits.startsWith("0") ? pad(size, digits.length) : size
  return (sum < 0n ? "-" : "") + padded
}

interface Added {
  readonly text: string
  readonly start: number
  readonly column: number
}

/** The line with its number changed and the offset of the number's last digit. */
export const addToNumber = (text: string, column: number, by: number): Added | undefined => {
  const found = numberAt(text, column)
  if (found === undefined) return undefined
  const made = added(found.text, by)
  const { start, end } = found
  return { text: text.slice(0, start) + made + text.slice(end), start, column: start + made.length - 1 }
}
