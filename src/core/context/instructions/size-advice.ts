import { countText } from "../../domain/text/count-text.ts"

/** Longer instructions are followed less well, and every request carries them. */
const ADVISED_CHARS = 40_000
const ADVISED_LINES = 200

export interface InstructionSize {
  readonly chars: number
  readonly lines: number
}

/** What to say of a file that is longer than it should be; completes its name. */
export const sizeAdvice = ({ chars, lines }: InstructionSize): string | undefined => {
  if (chars > ADVISED_CHARS) return `has ${countText(chars)} characters; up to ${countText(ADVISED_CHARS)} work best`
  return lines > ADVISED_LINES ? `has ${lines} lines; up to ${ADVISED_LINES} work best` : undefined
}
