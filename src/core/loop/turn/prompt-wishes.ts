import type { PromptWishes } from "../machine/state.ts"

/** What a prompt asks for besides its task. */
export const NO_WISHES: PromptWishes = { thinksHard: false, targetTokens: undefined }

const AMOUNT = String.raw`(\d{1,6}(?:\.\d{1,3})?)\s?([km])`
const END = String.raw`[\s.!?]*$`

/** `+500k`, or `use 2m tokens`, as the first or the last words. */
const TARGETS: ReadonlyArray<RegExp> = [
  new RegExp(String.raw`^\s*\+${AMOUNT}\b`, "i"),
  new RegExp(String.raw`(?:^|\s)\+${AMOUNT}${END}`, "i"),
  new RegExp(String.raw`^\s*(?:use|spend)\s+${AMOUNT}\s+tokens\b`, "i"),
  new RegExp(String.raw`\b(?:use|spend)\s+${AMOUNT}\s+tokens${END}`, "i")
]

const FACTORS: Readonly<Record<string, number>> = { k: 1_000, m: 1_000_000 }
const MOST_TOKENS = 100_000_000

const targetIn = (text: string): number | undefined => {
  const [, amount, unit] = TARGETS.map((pattern) => pattern.exec(text)).find((match) => match !== null) ?? []
  if (amount === undefined || unit === undefined) return undefined
  const tokens = Math.round(Number(amount) * (FACTORS[unit.toLowerCase()] ?? 0))
  return tokens >= 1 && tokens <= MOST_TOKENS ? tokens : undefined
}

export const wishesIn = (text: string): PromptWishes => ({
  thinksHard: /\bultrathink\b/i.test(text),
  targetTokens: targetIn(text)
})
