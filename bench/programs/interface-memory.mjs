import { returned } from "../../test/core/loop/response-plan.ts"
import { loopState } from "../../test/support/loop-fixture.ts"
import { Interface, ToldLoop } from "../lib/interface-world.mjs"

/**
 * What stays in memory for every turn: the loop alone, and the loop with the interface that shows it, frame by frame.
 * Run with --expose-gc. Prints the kilobytes that one turn of the second half left behind as JSON.
 */
const TURNS = 600
const SIZE = { columns: 120, rows: 40 }
const ANSWER =
  "some words of an answer that is neither long nor short, with `code` and a [link](https://example.com)\n\n".repeat(4)
const RESULT = "a line of the file that was read\n".repeat(30)

const stateOfLongWindow = () => loopState({ config: { autoCompact: false, windowTokens: 1_000_000_000 } })

const heapKilobytes = () => {
  globalThis.gc()
  globalThis.gc()
  return process.memoryUsage().heapUsed / 1024
}

const playTurn = (loop, number, show) => {
  const call = `call-${number}`
  loop.begin(`prompt ${number}`)
  loop.respond({
    text: "I look first.",
    calls: [{ id: call, name: "Read", input: { file_path: `/project/f${number}.txt` } }]
  })
  show()
  loop.prepare(call)
  show()
  loop.settle(call, returned(RESULT))
  show()
  loop.respond({ text: ANSWER })
  show()
}

const slope = (loop, show) => {
  let halfway = 0
  for (let number = 1; number <= TURNS; number++) {
    playTurn(loop, number, show)
    if (number === TURNS / 2) halfway = heapKilobytes()
  }
  return (heapKilobytes() - halfway) / (TURNS / 2)
}

const withInterface = () => {
  const state = stateOfLongWindow()
  const world = new Interface({ size: SIZE, state })
  return slope(new ToldLoop(state, (news) => world.hear(news)), () => {
    world.now += 16
    world.frame()
  })
}

const alone = () => slope(new ToldLoop(stateOfLongWindow(), () => {}), () => {})

const samples = Array.from({ length: 3 }, () => ({ ours: withInterface(), floor: alone() }))
process.stdout.write(JSON.stringify({ turns: TURNS, samples }))
