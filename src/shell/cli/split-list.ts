/**
 * Lists inside one argument. Tool rules carry commas and blanks in their parentheses (`Bash(git log *)`), so a list of
 * rules is cut only outside of them. A backslash keeps the next parenthesis from counting, as in the rule grammar.
 */
export const splitRules = (text: string): ReadonlyArray<string> => {
  const items: Array<string> = []
  let depth = 0
  let item = ""
  for (let index = 0; index < text.length; index++) {
    const character = text.charAt(index)
    if (character === "\\" && depth > 0) {
      item += character + text.charAt(++index)
      continue
    }
    if (character === "(") depth++
    if (character === ")") depth = Math.max(0, depth - 1)
    if (depth === 0 && /[\s,]/.test(character)) {
      items.push(item)
      item = ""
    } else item += character
  }
  return [...items, item].filter((part) => part !== "")
}

export const splitWords = (text: string): ReadonlyArray<string> => text.split(/[\s,]+/).filter((part) => part !== "")
