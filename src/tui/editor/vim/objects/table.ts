/** Every text object by the key that follows `i` or `a`. */
import { bracketObject } from "./brackets.ts"
import { mentionObject } from "./mention.ts"
import type { TextObject } from "./object.ts"
import { paragraphObject } from "./paragraphs.ts"
import { quoteObject } from "./quotes.ts"
import { sentenceObject } from "./sentences.ts"
import { tagObject } from "./tags.ts"
import { wordObject } from "./words.ts"

const round = bracketObject("(", ")")
const square = bracketObject("[", "]")
const curly = bracketObject("{", "}")
const angle = bracketObject("<", ">")

/** Objects that count as a jump from the caret, found or not, when they do not grow a selection. */
export const jumpingObjects: ReadonlySet<string> = new Set("bB()[]{}<>t")

export const textObjects: ReadonlyMap<string, TextObject> = new Map(
  Object.entries({
    w: wordObject(false),
    W: wordObject(true),
    s: sentenceObject,
    p: paragraphObject,
    b: round,
    "(": round,
    ")": round,
    "[": square,
    "]": square,
    B: curly,
    "{": curly,
    "}": curly,
    "<": angle,
    ">": angle,
    '"': quoteObject('"'),
    "'": quoteObject("'"),
    "`": quoteObject("`"),
    t: tagObject,
    m: mentionObject
  })
)
