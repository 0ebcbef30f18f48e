import { createServer } from "node:http"
import type { Server } from "node:net"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import type { HostRequest, NetworkDoor } from "../../src/core/ports/Sandbox.ts"
import type { NetworkPolicy } from "../../src/core/sandbox/network.ts"
import { makeSandboxWorld, sandboxWorks, type SandboxWorld } from "../support/sandbox-world.ts"

/** Hosts that are asked about while a command runs. */
let world: SandboxWorld
let server: Server
let port: number
let visits: Array<string>

beforeEach(async () => {
  world = makeSandboxWorld()
  visits = []
  const web = createServer((request, response) => {
    visits.push(request.headers.host ?? "")
    response.end("reached\n")
  })
  server = web
  port = await new Promise<number>((resolve) => {
    web.listen(0, "127.0.0.1", () => {
      const address = web.address()
      resolve(typeof address === "object" && address !== null ? address.port : 0)
    })
  })
})
afterEach(async () => {
  server.close()
  await world.close()
})

/** A door whose lists are changed by the answers, as saved rules change them. */
const doorWith = (ask: (wish: HostRequest, lists: { policy: NetworkPolicy }) => Promise<string | undefined>) => {
  const lists: { policy: NetworkPolicy } = { policy: { allowed: [], denied: [], unknown: "ask" } }
  const wishes: Array<string> = []
  const door: NetworkDoor = {
    policy: () => lists.policy,
    ask: (wish) => {
      wishes.push(wish.host)
      return ask(wish, lists)
    }
  }
  return { door, wishes }
}

const fetches = (host: string): string => `curl -sS --noproxy "" http://${host}:${port}/`

describe.skipIf(!sandboxWorks())("a host that no list names", () => {
  it("is asked about, and a rule that is saved meanwhile opens it for the running command", async () => {
    const { door, wishes } = doorWith((_wish, lists) => {
      lists.policy = { ...lists.policy, allowed: ["localhost"] }
      return Promise.resolve(undefined)
    })
    const { output } = await world.run(`${fetches("LOCALHOST")}; ${fetches("localhost")}`, {
      request: { unknownHosts: "ask", door }
    })
    expect(output).toBe("reached\nreached\n")
    expect(wishes).toEqual(["localhost"])
  })

  it("stays closed when the answer is no, and says why", async () => {
    const { door } = doorWith(() => Promise.resolve("the user refused it"))
    const { output, confined } = await world.run(fetches("localhost"), { request: { unknownHosts: "ask", door } })
    expect(output).toBe("localhost is closed to sandboxed commands: the user refused it\n")
    expect(confined.contacts()).toEqual([{ host: "localhost", port, refused: "the user refused it" }])
    expect(visits).toEqual([])
  })

  it("opens no private address by a yes alone, and none at all against a rule", async () => {
    const yes = doorWith(() => Promise.resolve(undefined))
    const once = await world.run(fetches("localhost"), { request: { unknownHosts: "ask", door: yes.door } })
    expect(once.output).toContain("loopback address")
    const denied = doorWith((_wish, lists) => {
      lists.policy = { ...lists.policy, allowed: ["localhost"], denied: ["localhost"] }
      return Promise.resolve(undefined)
    })
    const late = await world.run(fetches("localhost"), { request: { unknownHosts: "ask", door: denied.door } })
    expect(late.output).toContain("denied domains")
    expect(visits).toEqual([])
  })

  it("is not asked about when it is not a public name: addresses of this machine, metadata, odd spellings", async () => {
    const { door, wishes } = doorWith(() => Promise.resolve(undefined))
    const hosts = ["127.0.0.1", "169.254.169.254", "metadata.google.internal", "10.0.0.7"]
    await world.run(hosts.map(fetches).join("; "), { request: { unknownHosts: "ask", door } })
    expect(wishes).toEqual([])
    expect(visits).toEqual([])
  })

  it("is no longer asked about when the client or the command has gone", async () => {
    const gone: Array<string> = []
    const { door } = doorWith(
      ({ host, gone: signal }) =>
        new Promise((resolve) => {
          signal.addEventListener("abort", () => {
            gone.push(host)
            resolve("nobody waits")
          })
        })
    )
    const impatient = `curl -sS -m 0.3 --noproxy "" http://impatient.example/`
    await world.run(`${impatient}; curl -sS http://left.example/ & sleep 0.5`, { request: { unknownHosts: "ask", door } })
    await expect.poll(() => gone).toEqual(["impatient.example", "left.example"])
  })
})
