/**
 * The commands of package.json. Each does the set-up it needs first (install, build) and says so on one line; when
 * nothing is stale it starts at once. Runs on a bare clone, so it uses nothing but Node itself.
 */
import { spawnSync } from "node:child_process"
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync
} from "node:fs"
import { createHash } from "node:crypto"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const stampOf = (name) => join(root, "node_modules", ".nacre", name)

const minimum = [20, 19]
const [major, minor] = process.versions.node.split(".").map(Number)
if (major < minimum[0] || (major === minimum[0] && minor < minimum[1])) {
  console.error(
    `nacre: Node ${minimum.join(".")} or newer is needed, this is ${process.versions.node}. Fix: install a newer Node from nodejs.org`
  )
  process.exit(1)
}

const digest = (text) => createHash("sha256").update(text).digest("hex")
const readStamp = (name) => (existsSync(stampOf(name)) ? readFileSync(stampOf(name), "utf8") : "")
const writeStamp = (name, value) => {
  mkdirSync(dirname(stampOf(name)), { recursive: true })
  writeFileSync(stampOf(name), value)
}

const progress = (text) => process.stderr.write(`nacre: ${text}\n`)

const run = (command, args, options = {}) => {
  const result = spawnSync(command, args, { cwd: root, stdio: "inherit", ...options })
  if (result.error !== undefined) {
    console.error(`nacre: ${command} could not be started: ${result.error.message}`)
    process.exit(1)
  }
  return result.status ?? 1
}

const tool = (name) => join(root, "node_modules", ".bin", name)

const lockDigest = () => digest(readFileSync(join(root, "package-lock.json"), "utf8") + process.version)

const install = () => {
  const wanted = lockDigest()
  if (existsSync(join(root, "node_modules")) && readStamp("install") === wanted) return
  progress("installing dependencies (once, about a minute) ...")
  const npm = process.platform === "win32" ? "npm.cmd" : "npm"
  // `ci` takes the lock file as it is and never writes it, so that a clone stays clean.
  const status = run(npm, ["ci", "--include=dev", "--no-audit", "--no-fund", "--loglevel=error"], {
    stdio: ["ignore", 2, 2]
  })
  if (status !== 0) {
    console.error("nacre: npm could not install the dependencies. Fix: check the network and run `npm ci` to see why")
    process.exit(status)
  }
  writeStamp("install", wanted)
}

const sources = (dir) =>
  readdirSync(dir, { withFileTypes: true }).flatMap((entry) => {
    const path = join(dir, entry.name)
    return entry.isDirectory() ? sources(path) : [path]
  })

/** Names, sizes and times of everything the bundle is made of; reading the contents would cost more than it tells. */
const sourceDigest = () =>
  digest(
    [...sources(join(root, "src")), join(root, "rolldown.config.ts"), join(root, "package.json")]
      .map((path) => {
        const stat = statSync(path)
        return `${path}:${stat.size}:${stat.mtimeMs}`
      })
      .join("\n")
  )

const build = () => {
  const wanted = sourceDigest()
  if (existsSync(join(root, "dist", "nacre.js")) && readStamp("build") === wanted) return
  progress("building ...")
  const status = run(tool("rolldown"), ["-c", "rolldown.config.ts", "--log-level", "warn"], {
    stdio: ["ignore", "ignore", 2]
  })
  if (status !== 0) process.exit(status)
  chmodSync(join(root, "dist", "nacre.js"), 0o755)
  warm()
  writeStamp("build", wanted)
}

/** Ordinary commands, so that the code that judges them is ready when the first one comes. */
const RULES = { allow: ["Bash(git *)", "Read(src/**)"], ask: ["Bash(git push *)"], deny: ["Bash(curl *)", "Edit(.env)"] }
const COMMANDS = [
  "git status && rm -rf build",
  "ls -la src | head -20",
  "cat a.txt 2>/dev/null || echo none",
  "npm test -- --run",
  'echo "done" > out.txt',
  'find . -name "*.ts" -type f',
  "grep -rn symbol src/*.ts",
  "cd src && git log --oneline -5",
  "timeout 5 bash -c 'make all'",
  "FOO=1 node -e 'run()'",
  "for f in *.md; do wc -l $f; done",
  "sed -n 1,20p a.txt",
  "mkdir -p a/b && cp x a/b",
  "tar xzf a.tgz -C /tmp",
  "git commit -m \"$(cat <<'EOF'\ntext\nEOF\n)\""
]

/** Runs the program once per model adapter so that it leaves its machine code beside the chunks; no network is used. */
const warm = () => {
  const scratch = mkdtempSync(join(tmpdir(), "nacre-build-"))
  const clean = { PATH: process.env.PATH, HOME: scratch, NACRE_CONFIG_DIR: scratch, NACRE_WRITE_CODE_CACHE: "1" }
  const closedPort = { ANTHROPIC_API_KEY: "none", ANTHROPIC_BASE_URL: "http://127.0.0.1:9", CLAUDE_CODE_MAX_RETRIES: "0" }
  writeFileSync(join(scratch, "settings.json"), JSON.stringify({ theme: "dark", env: { WARM: "1" }, permissions: RULES }))
  for (const env of [{ ...clean, ...closedPort }, clean]) {
    spawnSync(process.execPath, [join(root, "dist", "nacre.js"), "-p", "run `true`", "--allowedTools=Bash(true)"], {
      cwd: scratch,
      env,
      stdio: "ignore"
    })
  }
  const program = join(root, "dist", "nacre.js")
  const inquiries = COMMANDS.map((command) => `${JSON.stringify({ command, rules: RULES })}\n`).join("")
  spawnSync(process.execPath, [program, "permissions", "explain", "--jsonl"], { cwd: scratch, env: clean, input: inquiries })
  spawnSync(process.execPath, [join(root, "scripts", "warm-screen.mjs"), program, scratch], {
    cwd: root,
    env: clean,
    stdio: "ignore"
  })
  rmSync(scratch, { recursive: true, force: true })
}

const check = () => {
  const steps = [
    ["format", tool("oxfmt"), ["--check"]],
    ["types", tool("tsc"), ["--noEmit"]],
    ["lint", tool("oxlint"), ["--type-aware", "--deny-warnings", "src", "test", "bench"]],
    ["architecture", tool("vitest"), ["run", "test/arch"]]
  ]
  for (const [name, command, args] of steps) {
    progress(`checking ${name} ...`)
    const status = run(command, args)
    if (status !== 0) return status
  }
  return 0
}

const [command, ...rest] = process.argv.slice(2)
const args = rest[0] === "--" ? rest.slice(1) : rest

const commands = {
  start: () => {
    install()
    build()
    return run(process.execPath, [join(root, "dist", "nacre.js"), ...args], { cwd: process.env.INIT_CWD ?? process.cwd() })
  },
  test: () => {
    install()
    build()
    return run(tool("vitest"), ["run", ...args])
  },
  /** The tests again, with as many seeds as are worth waiting for, none of them used before. */
  soak: () => {
    install()
    build()
    return run(tool("vitest"), ["run", ...args], { env: { NACRE_SOAK: "1", ...process.env } })
  },
  build: () => {
    install()
    build()
    return 0
  },
  /** Build with what is installed; for tests, which must not replace the packages that run them. */
  bundle: () => {
    build()
    return 0
  },
  check: () => {
    install()
    return check()
  },
  format: () => {
    install()
    return run(tool("oxfmt"), args)
  },
  bench: () => {
    install()
    build()
    return run(process.execPath, [join(root, "bench", "run.mjs"), ...args])
  }
}

const action = commands[command]
if (action === undefined) {
  console.error(`nacre: unknown command ${command ?? ""}. Use one of: ${Object.keys(commands).join(", ")}`)
  process.exit(1)
}
process.exit(action())
