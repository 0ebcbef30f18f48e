/** Prints what the argument's script says, piece by piece at the same pace: the least that streaming can cost. */
const { readFileSync } = require("node:fs")

const [path] = process.argv.slice(2)
const [{ text, delayMs }] = JSON.parse(readFileSync(path, "utf8"))
const PIECE = 12

process.stdout.write("Type a message\n")
process.stdin.once("data", () => {
  let at = 0
  const timer = setInterval(() => {
    process.stdout.write(text.slice(at, at + PIECE))
    at += PIECE
    if (at >= text.length) clearInterval(timer)
  }, delayMs)
})
