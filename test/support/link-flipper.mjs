import { existsSync, renameSync, rmSync, symlinkSync, writeSync } from "node:fs"

/**
 * Puts a link in the place of a directory or file and back again, as fast as it can, until its input is closed.
 * Arguments: the place, and where the link leads. Says at the end how often it did.
 */
const [place, target] = process.argv.slice(2)
const parked = `${place}.parked`
const link = `${place}.link`
symlinkSync(target, link)

/** Somebody may have made a directory in the gap, and may still be putting something into it. */
const put = (from) => {
  for (;;) {
    try {
      return renameSync(from, place)
    } catch {
      try {
        rmSync(place, { recursive: true, force: true })
      } catch {}
    }
  }
}

const flips = (count) => {
  for (let n = 0; n < count; n++) {
    renameSync(place, parked)
    put(link)
    renameSync(place, link)
    put(parked)
  }
}

/** Now and then the directory stays for a moment: where no attempt could succeed, nothing would be proven. */
const RESTS_EVERY = 1_000
const REST_MS = 15

let total = 0
let isOver = false
process.stdin.on("end", () => (isOver = true)).resume()

const work = () => {
  flips(200)
  total += 200
  if (!isOver) return total % RESTS_EVERY === 0 ? setTimeout(work, REST_MS) : setImmediate(work)
  if (!existsSync(place)) throw new Error("the place was left empty")
  writeSync(1, `${total}\n`)
}

writeSync(1, "ready\n")
work()
