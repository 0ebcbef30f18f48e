/** Tries to break out of a sandbox around a project of its own. What counts is the machine afterwards. */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs"
import { createServer, type Server } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Effect } from "effect"
import { searchPathOutside } from "../../core/domain/path/search-path.ts"
import { Process } from "../../core/ports/Process.ts"
import { Sandbox } from "../../core/ports/Sandbox.ts"
import { SANDBOX_OFF, type SandboxSettings } from "../../core/sandbox/settings.ts"

const CHECK_MS = 15_000
const MOST_BYTES = 100_000
const SECRET = "nacre-self-test-secret"

/** The place of a self-test: a project, a home with a secret, something outside, and two servers that count visits. */
interface Range {
  readonly root: string
  readonly project: string
  readonly home: string
  readonly outside: string
  readonly port: number
  readonly socket: string
  readonly visits: { network: number; socket: number }
}

interface Check {
  readonly name: string
  readonly command: (range: Range) => string
  /** Undefined when the sandbox held, else what happened. */
  readonly breach: (range: Range, output: string) => string | undefined
  readonly linuxOnly?: true
}

const visit = (where: string): string =>
  `${process.execPath} -e 'require("net").connect(${where}).on("connect", () => process.exit(0)).on("error", () => 0)'`

const CHECKS: ReadonlyArray<Check> = [
  {
    name: "write in the project",
    command: () => 'echo x > made && echo x > "$TMPDIR/made"',
    breach: ({ project }) => (existsSync(join(project, "made")) ? undefined : "the project cannot be written")
  },
  {
    name: "write outside",
    command: ({ outside, home }) => `echo x > ${outside}/made; echo x > ${home}/.bashrc`,
    breach: ({ outside, home }) =>
      existsSync(join(outside, "made")) || existsSync(join(home, ".bashrc")) ? "a file was made outside" : undefined
  },
  {
    name: "read a hidden secret",
    command: ({ home }) => `cat ${home}/.ssh/id_ed25519; cp -r ${home} copy 2>/dev/null; cat copy/.ssh/id_ed25519`,
    breach: (_range, output) => (output.includes(SECRET) ? "the secret was read" : undefined)
  },
  {
    name: "reach the network",
    command: ({ port }) => visit(`${port}, "127.0.0.1"`),
    breach: ({ visits }) => (visits.network > 0 ? "a server of this machine was reached" : undefined)
  },
  {
    name: "rename over a protected file",
    command: () =>
      "echo x > new; mv -f new .claude/settings.json; rm -rf .claude; mv .claude away; " +
      "mkdir -p .claude; echo x > .claude/settings.json",
    breach: ({ project }) =>
      readFileSync(join(project, ".claude/settings.json"), "utf8") === "{}" ? undefined : "the settings were replaced"
  },
  {
    name: "create a missing settings file",
    command: () => "echo x > .mcp.json; mkdir -p .git/hooks; echo x > .git/hooks/pre-commit",
    breach: ({ project }) =>
      existsSync(join(project, ".git/hooks/pre-commit")) || hasContent(join(project, ".mcp.json"))
        ? "a file that tools act on was made"
        : undefined
  },
  {
    name: "talk to a unix socket",
    command: ({ socket }) => visit(`"${socket}"`),
    breach: ({ visits }) => (visits.socket > 0 ? "a server of this machine was reached" : undefined)
  },
  {
    name: "trace other processes",
    command: () => "cat /proc/self/status",
    breach: (_range, output) =>
      /^Seccomp:\t2$/m.test(output) && /^NoNewPrivs:\t1$/m.test(output) && /^CapBnd:\t0+$/m.test(output)
        ? undefined
        : "system calls are not filtered",
    linuxOnly: true
  }
]

const hasContent = (path: string): boolean => {
  try {
    return readFileSync(path).length > 0
  } catch {
    return false
  }
}

type Address = { readonly port: number; readonly host: string } | { readonly path: string }

const listening = (server: Server, where: Address) =>
  new Promise<Server>((resolve, reject) => {
    server.once("error", reject)
    server.listen(where, () => resolve(server))
  })

const portOf = (server: Server): number => {
  const address = server.address()
  return typeof address === "object" && address !== null ? address.port : 0
}

const prepare = async (): Promise<Range & { readonly servers: ReadonlyArray<Server> }> => {
  const root = mkdtempSync(join(realpathSync(tmpdir()), "nacre-sandbox-test-"))
  const [project, home, outside] = [join(root, "project"), join(root, "home"), join(root, "outside")]
  for (const directory of [join(project, ".claude"), join(home, ".ssh"), join(home, ".claude"), outside]) {
    mkdirSync(directory, { recursive: true })
  }
  writeFileSync(join(project, ".claude/settings.json"), "{}")
  writeFileSync(join(home, ".ssh/id_ed25519"), SECRET)
  const visits = { network: 0, socket: 0 }
  const socket = join(project, "socket")
  const count = (kind: "network" | "socket") =>
    createServer((connection) => {
      visits[kind]++
      connection.destroy()
    })
  const network = await listening(count("network"), { port: 0, host: "127.0.0.1" })
  const servers = [network, await listening(count("socket"), { path: socket })]
  return { root, project, home, outside, port: portOf(network), socket, visits, servers }
}

export interface CheckResult {
  readonly name: string
  readonly breach: string | undefined
}

const runCheck = Effect.fnUntraced(function* (check: Check, range: Range, settings: SandboxSettings) {
  const sandbox = yield* Sandbox
  const processes = yield* Process
  const confined = yield* sandbox.confine({
    settings: { ...settings, network: SANDBOX_OFF.network },
    profile: "workspace",
    workingDirs: [range.project],
    home: range.home,
    configHome: join(range.home, ".claude"),
    editable: [],
    uneditable: [],
    unreadable: [],
    allowedHosts: [],
    deniedHosts: [],
    unknownHosts: "deny",
    networkless: true,
    cwd: range.project,
    writableFiles: []
  })
  const { stdout, stderr } = yield* processes.run({
    file: "/bin/sh",
    args: ["-c", check.command(range)],
    cwd: range.project,
    env: { PATH: searchPathOutside(process.env["PATH"], [process.cwd()]), HOME: range.home },
    timeoutMs: CHECK_MS,
    maxOutputBytes: MOST_BYTES,
    confinement: confined.confinement
  })
  return { name: check.name, breach: check.breach(range, stdout + stderr) } satisfies CheckResult
})

const failed =
  (name: string) =>
  (failure: { readonly message: string }): Effect.Effect<CheckResult> =>
    Effect.succeed({ name, breach: failure.message })

/** Every check in turn; one that could not run counts as a breach. */
export const selfTest = (settings: SandboxSettings) =>
  Effect.acquireUseRelease(
    Effect.promise(prepare),
    (range) =>
      Effect.forEach(
        CHECKS.filter(({ linuxOnly }) => linuxOnly === undefined || process.platform === "linux"),
        (check) => runCheck(check, range, settings).pipe(Effect.catch(failed(check.name)))
      ),
    ({ servers, root }) =>
      Effect.sync(() => {
        for (const server of servers) server.close()
        rmSync(root, { recursive: true, force: true })
      })
  )
