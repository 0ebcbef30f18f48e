/** Reads one line that is not shown while it is typed or pasted. */
const ENTER = /[\r\n]/
const LEAVE = /[\u0003\u0004]/
const ERASE = /[\u007f\b]/

export const readHiddenLine = (question: string): Promise<string> =>
  new Promise((resolve) => {
    const { stdin, stderr } = process
    let line = ""
    const end = (answer: string): void => {
      stdin.off("data", read)
      stdin.setRawMode(false)
      stdin.pause()
      stderr.write("\n")
      resolve(answer)
    }
    const read = (text: string): void => {
      for (const character of text) {
        if (ENTER.test(character)) return end(line)
        if (LEAVE.test(character)) return end("")
        line = ERASE.test(character) ? line.slice(0, -1) : line + character
      }
    }
    stderr.write(question)
    stdin.setEncoding("utf8")
    stdin.setRawMode(true)
    stdin.on("data", read)
    stdin.resume()
  })
