/**
 * Loaded before the program (-r): at SIGUSR2 it collects garbage and writes what is left to the file of BENCH_HEAP_FILE.
 * The collector is only reached for then, because V8 options at the start make Node refuse prepared machine code.
 */
const { renameSync, writeFileSync } = require("node:fs")

let collect

process.on("SIGUSR2", () => {
  if (collect === undefined) {
    require("node:v8").setFlagsFromString("--expose-gc")
    collect = require("node:vm").runInNewContext("gc")
  }
  collect()
  collect()
  const path = process.env.BENCH_HEAP_FILE
  writeFileSync(`${path}.new`, JSON.stringify(process.memoryUsage()))
  renameSync(`${path}.new`, path)
})
