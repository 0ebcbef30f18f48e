/**
 * Loaded before the program (-r): at SIGUSR2 it collects garbage and writes what is left to the file of BENCH_HEAP_FILE.
 * The collector is only reached for then, because V8 options at the start make Node refuse prepared machine code.
 */
const { renameSync, writeFileSync } = require("node:fs")
const { getHeapCodeStatistics } = require("node:v8")

let collect

process.on("SIGUSR2", () => {
  if (collect === undefined) {
    require("node:v8").setFlagsFromString("--expose-gc")
    collect = require("node:vm").runInNewContext("gc")
  }
  collect()
  collect()
  const path = process.env.BENCH_HEAP_FILE
  const { code_and_metadata_size: machineCode, bytecode_and_metadata_size: bytecode } = getHeapCodeStatistics()
  writeFileSync(`${path}.new`, JSON.stringify({ ...process.memoryUsage(), code: machineCode + bytecode }))
  renameSync(`${path}.new`, path)
})
