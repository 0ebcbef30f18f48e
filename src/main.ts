import { loadProgram } from "./load-program.ts"
import { guardOutput } from "./shell/process/output-guard.ts"

/** argv in, exit code out. The fast paths answer before any other module is loaded. */
const args = process.argv.slice(2)

const start = async (): Promise<void> => {
  process.exitCode = await loadProgram().run(args)
}

/** Everything else begins by asking where it is, and a directory may be removed under a shell. */
const isSomewhere = (): boolean => {
  try {
    process.cwd()
    return true
  } catch {
    return false
  }
}

const [only] = args
const [major] = process.versions.node.split(".")
if (args.length === 1 && (only === "--version" || only === "-v" || only === "-V")) {
  guardOutput()
  process.stdout.write(`${__NACRE_VERSION__} (Nacre)\n`)
} else if (Number(major) < 20) {
  process.stderr.write(`nacre: Node 20.19 or newer is needed, this is ${process.versions.node}. Fix: install a newer Node\n`)
  process.exitCode = 1
} else if (!isSomewhere()) {
  const where = process.env["PWD"] === undefined ? "" : ` (${process.env["PWD"]})`
  process.stderr.write(
    `nacre: the current directory${where} cannot be used — it was removed or may not be read. Fix: cd to another one\n`
  )
  process.exitCode = 1
} else {
  void start()
}
