/** A long answer in Markdown: lines of prose, with a heading and a list now and then, in small pieces. */
const DELTA_CHARS = 12

/** Words that are on the screen as soon as some of the answer is, and as it ends. */
export const BEGIN = "some words of an answer"
export const END = "that was all"
/** What is asked; only a request with these words gets the answer. */
export const PROMPT = "go ahead please"

const line = (number) => {
  if (number % 20 === 0) return `\n## part ${number}\n\n`
  return number % 5 === 0 ? `- point ${number} of a **list** with \`code\`\n` : `${BEGIN}, line ${number}\n`
}

/** The answer, cut so that it has exactly so many pieces. */
export const answerOf = (deltas) => {
  const most = deltas * DELTA_CHARS
  let text = ""
  for (let number = 0; text.length < most; number++) text += line(number)
  return `${text.slice(0, most - END.length - 2)}\n\n${END}`
}

export const deltasOf = (deltas) => answerOf(deltas).match(/[\s\S]{1,12}/g)
