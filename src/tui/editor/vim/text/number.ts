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

const LARGEST = 0xffff_ffff_ffff_ffffn

/** Larger numbers are read as the largest. */
const saturated = (size: bigint): bigint => (size > LARGEST ? LARGEST : size)

const pad = (digits: string, length: number): string => digits.padStart(length, "0")

const inRadix = (found: string, by: number, rule: { prefix: string; radix: number }): string => {
  const digits = found.slice(rule.prefix.length)
  const old = BigInt(rule.radix === 16 ? `0x${digits}` : rule.radix === 2 ? `0b${digits}` : `0o${digits}`)
  const sum = BigInt.asUintN(64, saturated(old) + BigInt(by))
  // The last letter among the digits says how to write all of them.
  const isUpper = /[A-F][0-9]*$/.test(digits)
  const made = sum.toString(rule.radix)
  return rule.prefix + pad(isUpper ? made.toUpperCase() : made, digits.length)
}

const OCTAL = /^0[0-7]+$/

/** Decimal numbers have a sign of their own: past the largest number they come out at the other end. */
const addDecimal = (found: string, by: number): string => {
  const digits = found.replace("-", "")
  const isNegative = found.startsWith("-")
  const subtracts = by < 0 !== isNegative
  const old = saturated(BigInt(digits))
  const step = BigInt(Math.abs(by))
  const sum = BigInt.asUintN(64, subtracts ? old - step : old + step)
  const wraps = subtracts ? sum > old : sum < old
  const size = wraps ? BigInt.asUintN(64, (sum ^ LARGEST) + (subtracts ? 1n : 0n)) : sum
  const written = digits.startsWith("0") ? pad(String(size), digits.length) : String(size)
  return (size !== 0n && isNegative !== wraps ? "-" : "") + written
}

const added = (found: string, by: number): string => {
  if (/^0[xX]/.test(found)) return inRadix(found, by, { prefix: found.slice(0, 2), radix: 16 })
  if (/^0[bB]/.test(found)) return inRadix(found, by, { prefix: found.slice(0, 2), radix: 2 })
  return OCTAL.test(found) ? inRadix(found, by, { prefix: "0", radix: 8 }) : addDecimal(found, by)
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
