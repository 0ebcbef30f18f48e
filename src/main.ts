import { argv, exit, stdout, versions } from "node:process"

/** argv in, exit code out. The fast paths answer before any other module is loaded. */
const args = argv.slice(2)
const [only] = args
if (args.length === 1 && (only === "--version" || only === "-v" || only === "-V")) {
  stdout.write(`${__NACRE_VERSION__} (Nacre)\n`)
} else if (Number(versions.node.split(".")[0]) < 20) {
  process.stderr.write(`nacre: Node 20.19 or newer is needed, this is ${versions.node}. Fix: install a newer Node\n`)
  exit(1)
} else {
  const { run } = await import("./shell/run.ts")
  process.exitCode = await run(args)
}
