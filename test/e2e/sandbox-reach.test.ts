import { createServer as createHttpServer } from "node:http"
import { createServer, type Server } from "node:net"
import fs from "node:fs"
import path from "node:path"
import { Effect, Fiber } from "effect"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { Process } from "../../src/core/ports/Process.ts"
import { makeSandboxWorld, type RunOptions, sandboxWorks, type SandboxWorld } from "../support/sandbox-world.ts"
import { putFile, putLink } from "../support/temp-world.ts"

/** Attempts to read, to talk and to touch processes from inside a sandbox. */
let world: SandboxWorld
const servers: Array<Server> = []
beforeEach(() => {
  world = makeSandboxWorld()
})
afterEach(async () => {
  for (const server of servers.splice(0)) server.close()
  await world.close()
})

const inHome = (name: string): string => path.join(world.home, name)
const outputOf = async (command: string, options?: RunOptions): Promise<string> => (await world.run(command, options)).output

/** A program of this machine that does what a hostile one would. */
const node = (script: string): string => `${process.execPath} -e '${script}'`

/** Prints the mark when a connection comes about, else the code of the error. */
const visit = (where: string, mark: string): string =>
  node(
    `const say = console.log; require("net").connect(${where}).on("error", (e) => say(e.code))` +
      `.on("connect", () => say("${mark}"))`
  )

type Address = { readonly port: number; readonly host: string } | { readonly path: string }

const listen = (server: Server, where: Address) =>
  new Promise<number>((resolve) => {
    servers.push(server)
    server.listen(where, () => {
      const address = server.address()
      resolve(typeof address === "object" && address !== null ? address.port : 0)
    })
  })

/** A server on this machine that counts who comes. */
const visited = async (host: string) => {
  const seen: Array<string> = []
  const server = createHttpServer((request, response) => {
    seen.push(`${request.method ?? ""} ${request.headers.host ?? ""} ${request.url ?? ""}`)
    response.end("reached\n")
  })
  return { port: await listen(server, { port: 0, host }), seen }
}

describe.skipIf(!sandboxWorks())("secrets", () => {
  it("of the home directory and of this program cannot be read", async () => {
    putFile(inHome(".ssh/id_ed25519"), "secret-1")
    putFile(inHome(".aws/credentials"), "secret-2")
    putFile(inHome(".netrc"), "secret-3")
    putFile(inHome(".config/gh/hosts.yml"), "secret-4")
    putFile(inHome(".claude/.credentials.json"), "secret-5")
    putFile(inHome("notes.txt"), "harmless")
    putLink(path.join(world.project, "link"), inHome(".ssh/id_ed25519"))
    const output = await outputOf(
      "cat ~/.ssh/id_ed25519 ~/.aws/credentials ~/.netrc ~/.config/gh/hosts.yml ~/.claude/.credentials.json link " +
        "/proc/self/root$HOME/.ssh/id_ed25519; cp -r ~ copy 2>/dev/null; grep -rh secret copy; cat ~/notes.txt"
    )
    expect(output).not.toContain("secret-")
    expect(output).toContain("harmless")
  })

  it("named by the settings and by rules cannot be read, with or without a slash at the end", async () => {
    putFile(path.join(world.outside, "vault/key"), "secret-1")
    putFile(path.join(world.outside, "vault/open/key"), "open-2")
    putFile(path.join(world.outside, "single"), "secret-3")
    putFile(path.join(world.project, "sub/.env"), "secret-4")
    putFile(path.join(world.project, "sub/plain"), "plain-5")
    const output = await outputOf(
      `cd ${world.outside}; cat vault/key vault/open/key single; mv vault v2; mv single s2; cat v2/key s2; ` +
        `cd ${world.project}; cat sub/.env sub/plain; mv sub/.env e; cat e; cp sub/.env f; ln sub/.env g; cat f g`,
      {
        settings: {
          filesystem: {
            denyRead: [`${world.outside}/vault/`, path.join(world.outside, "single")],
            allowRead: [`${world.outside}/vault/open/`],
            allowWrite: [world.outside]
          }
        },
        request: { unreadable: [`${world.project}/**/.env`] }
      }
    )
    expect(output).not.toContain("secret-")
    expect(output).toContain("open-2")
    expect(output).toContain("plain-5")
  })

  it("stay readable to programs when they belong to the project", async () => {
    putFile(path.join(world.project, ".env"), "mine")
    expect(await outputOf("cat .env")).toBe("mine")
  })

  it("hide a whole home around the project when told to", async () => {
    const project = inHome("work/project")
    putFile(path.join(project, "a"), "mine")
    putFile(inHome("work/other/b"), "secret-1")
    const output = await outputOf(`cat a ../other/b ~/work/other/b; echo x > new && cat new; ls ~`, {
      settings: { filesystem: { denyRead: [world.home] } },
      request: { workingDirs: [project], cwd: project }
    })
    expect(output).not.toContain("secret-")
    expect(output).toContain("minex\n")
  })
})

describe.skipIf(!sandboxWorks())("the network", () => {
  it("is not there: no address, no name, no IPv6, no loopback of the host", async () => {
    const four = await visited("127.0.0.1")
    const output = await outputOf(
      [
        `(exec 3<>/dev/tcp/127.0.0.1/${four.port}) && echo OPEN-1`,
        "(exec 3<>/dev/tcp/1.1.1.1/53) && echo OPEN-2",
        "(exec 3<>/dev/udp/1.1.1.1/53; echo x >&3) && echo OPEN-3",
        "(exec 3<>/dev/tcp/example.com/80) && echo OPEN-4",
        visit('80, "2606:4700:4700::1111"', "OPEN-5"),
        node('require("dns").resolve4("example.com", (e) => { if (!e) console.log("OPEN-6"); process.exit() })'),
        "echo interfaces=$(grep -c : /proc/net/dev)"
      ].join("; ")
    )
    expect(output).not.toContain("OPEN-")
    expect(output).toContain("interfaces=1\n")
    expect(four.seen).toEqual([])
  })

  it("is not reached through sockets in the file system or without a name", async () => {
    const met: Array<string> = []
    const file = path.join(world.project, "socket")
    const nameless = `nacre-test-${process.pid}`
    const greeter = (name: string) => createServer((socket) => void (met.push(name), socket.end()))
    await listen(greeter("file"), { path: file })
    await listen(greeter("nameless"), { path: `\0${nameless}` })
    const output = await outputOf(
      [
        visit(`"${file}"`, "OPEN-1"),
        visit(`"\\0${nameless}"`, "OPEN-2"),
        node('require("net").createServer().on("error", (e) => console.log(e.code)).listen(process.env.TMPDIR + "/s")')
      ].join("; ")
    )
    expect(output).toBe("EPERM\nEPERM\nEPERM\n")
    expect(met).toEqual([])
  })

  it("is reached through the proxy, and only what the list names", async () => {
    const { port, seen } = await visited("127.0.0.1")
    const other = await visited("127.0.0.1")
    const { output, confined, code } = await world.run(
      [
        `curl -sS http://127.0.0.1:${port}/plain --noproxy ""`,
        `curl -sS -p -x $HTTP_PROXY http://127.0.0.1:${port}/tunnel --noproxy ""`,
        `curl -sS -x $ALL_PROXY http://127.0.0.1:${port}/socks --noproxy ""`,
        `curl -sS http://localhost:${port}/closed --noproxy ""`,
        `curl -sS -p -x $HTTP_PROXY http://localhost:${other.port}/closed --noproxy ""`,
        `curl -sS -x $ALL_PROXY http://localhost:${other.port}/closed --noproxy ""`,
        `curl -sS http://169.254.169.254/latest --noproxy ""`,
        `curl -sS -m 2 http://127.0.0.1:${other.port}/direct`,
        "exit 5"
      ].join("; "),
      { settings: { network: { allowedDomains: ["127.0.0.1", "169.254.169.254"], deniedDomains: [] } } }
    )
    expect(code).toBe(5)
    expect(output.match(/reached/g)).toHaveLength(3)
    expect(seen).toEqual(["/plain", "/tunnel", "/socks"].map((url) => `GET 127.0.0.1:${port} ${url}`))
    expect(other.seen).toEqual([])
    expect(confined.contacts().map(({ host, refused }) => [host, refused === undefined])).toEqual([
      ["127.0.0.1", true],
      ["127.0.0.1", true],
      ["127.0.0.1", true],
      ["localhost", false],
      ["localhost", false],
      ["localhost", false],
      ["169.254.169.254", false]
    ])
  })

  it("does not lead to private addresses through a list that allows everything", async () => {
    const { port, seen } = await visited("127.0.0.1")
    const settings = { network: { allowedDomains: ["*"] } }
    const fetches = ["localhost", "127.0.0.1"].map((host) => `curl -sS http://${host}:${port}/ --noproxy ""`)
    const output = await outputOf(fetches.join("; "), { settings })
    expect(output).toContain("loopback address")
    expect(seen).toEqual([])
  })

  it("carries large bodies both ways and many connections at once", async () => {
    let received = 0
    const server = createHttpServer((request, response) => {
      request.on("data", (chunk: Buffer) => {
        received += chunk.length
      })
      request.on("end", () => response.end(Buffer.alloc(3_000_000, "a")))
    })
    const port = await listen(server, { port: 0, host: "127.0.0.1" })
    const output = await outputOf(
      `head -c 2000000 /dev/zero > body; for how in "-p" "-p" "" "" "-x $ALL_PROXY"; do ` +
        `curl -sS $how --data-binary @body http://127.0.0.1:${port}/ --noproxy "" | wc -c & done; wait`,
      { settings: { network: { allowedDomains: ["127.0.0.1"] } } }
    )
    expect(output).toBe("3000000\n".repeat(5))
    expect(received).toBe(10_000_000)
  })
})

const commandLines = (): ReadonlyArray<string> =>
  fs.readdirSync("/proc").flatMap((entry) => {
    try {
      return /^\d+$/.test(entry) ? [fs.readFileSync(`/proc/${entry}/cmdline`, "utf8")] : []
    } catch {
      return []
    }
  })

describe.skipIf(!sandboxWorks())("processes", () => {
  it("of the host are neither seen nor signalled, and nothing of the kernel is open", async () => {
    const output = await outputOf(
      [
        `kill -0 ${process.pid} && echo OPEN-1`,
        "grep -E '^(CapEff|CapBnd|NoNewPrivs|Seccomp):' /proc/self/status",
        "find /proc -maxdepth 4 -path '/proc/[0-9]*' -prune -o -path /proc/net -prune -o " +
          "-type f -writable -printf 'OPEN-2 %p\\n'",
        "while read -r _ _ _ _ where how _; do case $how in rw*) echo rw $where;; esac; done < /proc/self/mountinfo",
        "unshare -r true && unshare -rm mount -t tmpfs none /tmp && echo OPEN-3-but-harmless",
        'perl -e \'print syscall(101, 0, 0, 0, 0) == 0 ? "OPEN-4" : "no ptrace\\n"\''
      ].join("; ")
    )
    expect(output.replaceAll(/OPEN-3-but-harmless\n/g, "")).not.toContain("OPEN-")
    const writable = [...output.matchAll(/rw (\S+)/g)].map((match) => match[1] ?? "")
    const unexpected = writable.filter((mount) => !/^\/dev(?:\/|$)/.test(mount) && !mount.endsWith("/tmp"))
    expect(unexpected).toEqual([world.project])
    expect(output).toMatch(/CapBnd:\t0+\n/)
    expect(output).toMatch(/CapEff:\t0+\n/)
    expect(output).toContain("NoNewPrivs:\t1")
    expect(output).toContain("Seccomp:\t2")
    expect(output).toContain("no ptrace")
  })

  it("leave no core files and are not without number", async () => {
    expect(await outputOf("ulimit -c; ulimit -Hc; ulimit -u; ulimit -Hu")).toBe("0\n0\n16384\n16384\n")
  })

  it("cannot lay bare what is closed by making namespaces of their own", async () => {
    putFile(inHome(".ssh/id_rsa"), "secret-1")
    putFile(path.join(world.project, ".mcp.json"), "mine")
    const output = await outputOf(
      "unshare -rm sh -c 'umount ~/.ssh; umount .mcp.json; mount -o remount,rw,bind .mcp.json; " +
        "mount -o remount,rw /; " +
        `cat ~/.ssh/id_rsa; echo x > .mcp.json; echo x > ${world.outside}/new'`
    )
    expect(output).not.toContain("secret-")
    expect(fs.readFileSync(path.join(world.project, ".mcp.json"), "utf8")).toBe("mine")
    expect(fs.readdirSync(world.outside)).toEqual([])
  })

  it("end with their command, also those that left its session", async () => {
    const mark = path.join(world.project, "mark")
    const stubborn = `trap "" TERM INT HUP; echo > ${mark}; while :; do sleep 0.05; done`
    await world.run(`setsid bash -c '${stubborn}' & while [ ! -e ${mark} ]; do sleep 0.02; done`)
    await expect.poll(() => commandLines().filter((line) => line.includes(mark))).toEqual([])
  })

  it("are asked to end before they are killed", async () => {
    const cleaned = path.join(world.project, "cleaned")
    const started = path.join(world.project, "started")
    for (const network of [{}, { allowedDomains: ["example.com"] }]) {
      fs.rmSync(started, { force: true })
      fs.rmSync(cleaned, { force: true })
      const confined = await world.confine({ settings: { network } })
      const fiber = world.runtime.runFork(
        Effect.flatMap(Process, (processes) =>
          processes.run({
            file: "bash",
            args: ["-c", `trap 'echo yes > ${cleaned}; exit' INT; echo > ${started}; while :; do sleep 0.05; done`],
            cwd: world.project,
            env: { PATH: process.env["PATH"] },
            timeoutMs: 30_000,
            maxOutputBytes: 1_000,
            confinement: confined.confinement
          })
        )
      )
      await expect.poll(() => fs.existsSync(started), { timeout: 10_000 }).toBe(true)
      await Effect.runPromise(Fiber.interrupt(fiber))
      await expect.poll(() => fs.existsSync(cleaned), { timeout: 5_000 }).toBe(true)
    }
  })
})
