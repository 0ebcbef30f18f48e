import { createReadStream } from "node:fs"

/** Reads a file of JSON lines and parses each. Usage: read-lines.mjs <file> */
let rest = ""
let lines = 0
for await (const chunk of createReadStream(process.argv[2], { encoding: "utf8", highWaterMark: 1024 * 1024 })) {
  const pieces = (rest + chunk).split("\n")
  rest = pieces.pop()
  for (const piece of pieces) {
    JSON.parse(piece)
    lines += 1
  }
}
process.stdout.write(`${lines}\n`)
