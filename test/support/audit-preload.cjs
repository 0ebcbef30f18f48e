/** Loaded before the program: writes down every process it starts, every connection it opens, every file it opens. */
const fs = require("node:fs")
const net = require("node:net")
const childProcess = require("node:child_process")
const { resolve } = require("node:path")
const { fileURLToPath } = require("node:url")
const { syncBuiltinESMExports } = require("node:module")

const log = process.env.NACRE_AUDIT
const append = fs.appendFileSync
const note = (entry) => append(log, `${JSON.stringify(entry)}\n`)

const spawn = childProcess.ChildProcess.prototype.spawn
childProcess.ChildProcess.prototype.spawn = function (options) {
  note({ kind: "spawn", file: options.file, args: options.args, cwd: resolve(String(options.cwd ?? process.cwd())) })
  return spawn.call(this, options)
}

for (const name of ["spawnSync", "execFileSync", "execSync"]) {
  const original = childProcess[name]
  childProcess[name] = (file, ...rest) => {
    const options = rest.findLast((each) => typeof each === "object" && !Array.isArray(each))
    note({ kind: "spawn", file, args: rest.find(Array.isArray) ?? [], cwd: resolve(String(options?.cwd ?? process.cwd())) })
    return original(file, ...rest)
  }
}

const connect = net.Socket.prototype.connect
net.Socket.prototype.connect = function (...args) {
  const [first] = args.flat(2)
  note({
    kind: "connect",
    to: typeof first === "object" ? `${first?.host ?? ""}:${first?.port ?? first?.path}` : String(first)
  })
  return connect.apply(this, args)
}

const pathOf = (file) => {
  if (typeof file === "string") return resolve(file)
  if (file instanceof URL) return fileURLToPath(file)
  return Buffer.isBuffer(file) ? resolve(file.toString()) : undefined
}

const watchOpens = (target, names) => {
  for (const name of names) {
    const original = target[name]
    target[name] = (file, ...rest) => {
      const path = pathOf(file)
      if (path !== undefined) note({ kind: "open", path })
      return original.call(target, file, ...rest)
    }
  }
}

watchOpens(fs, [
  "open",
  "openSync",
  "readFile",
  "readFileSync",
  "createReadStream",
  "readdir",
  "readdirSync",
  "opendir",
  "opendirSync"
])
watchOpens(fs.promises, ["open", "readFile", "readdir", "opendir"])
syncBuiltinESMExports()
