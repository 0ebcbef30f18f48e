import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { makePlace, type Place, run } from "../support/built-cli.ts"
import { ask, type Answer, endpointEnv, messagesIn, sentBlocks, serve, sessionOf } from "../support/e2e-world.ts"
import { text, toolUse } from "../support/messages-reply.ts"
import type { RecordedRequest } from "../support/messages-server.ts"
import { putFile } from "../support/temp-world.ts"

/** Instruction files on their way to the model: each once, in its place. */
const project = () => {
  const place = makePlace()
  const at = (path: string): string => join(place.cwd, path)
  putFile(join(place.config, "CLAUDE.md"), "I-USER\n")
  putFile(at("CLAUDE.md"), "I-PROJECT @docs/style.md\n")
  putFile(at("docs/style.md"), "I-IMPORT\n")
  putFile(at(".claude/rules/ts.md"), '---\npaths: "*.ts"\n---\nI-RULE\n')
  putFile(at("CLAUDE.local.md"), "I-LOCAL\n")
  putFile(at("sub/CLAUDE.md"), "I-NESTED\n")
  putFile(at("sub/a.txt"), "a\n")
  putFile(at("sub/b.ts"), "b\n")
  return { place, at }
}

const said = (request: RecordedRequest | undefined): string => JSON.stringify(messagesIn(request))

const count = (request: RecordedRequest | undefined, word: string): number => said(request).split(word).length - 1

const START = ["I-USER", "I-PROJECT", "I-IMPORT", "I-LOCAL"]

const again = async (place: Place, answer: Answer, prompt: string): Promise<Answer> =>
  ask([text("again")], prompt, { place, args: ["--resume", sessionOf(answer)] })

describe.concurrent("instructions", () => {
  it("of a project reach the model in order, each once, rules and nested files with the files they are about", async () => {
    const { place, at } = project()
    const script = [
      toolUse("Read", { file_path: at("sub/a.txt") }),
      toolUse("Read", { file_path: at("sub/b.ts") }),
      toolUse("Read", { file_path: at("docs/style.md") }),
      text("done")
    ]
    const { requests } = await ask(script, "look around", { place })
    const [first, second, third, fourth] = requests
    const [opening] = messagesIn(first)
    const places = [...START, "look around"].map((word) => JSON.stringify(opening).indexOf(word))
    expect(places.every((each) => each >= 0)).toBe(true)
    expect(places.toSorted((left, right) => left - right)).toEqual(places)
    expect([count(first, "I-NESTED"), count(first, "I-RULE")]).toEqual([0, 0])
    expect([count(second, "I-NESTED"), count(second, "I-RULE")]).toEqual([1, 0])
    expect(said(second)).toContain(`Contents of ${at("sub/CLAUDE.md")}`)
    expect([count(third, "I-NESTED"), count(third, "I-RULE")]).toEqual([1, 1])
    const counts = [...START, "I-NESTED", "I-RULE"].map((word) => [word, count(fourth, word)])
    // The import was read as a file too.
    expect(counts).toEqual([...START, "I-NESTED", "I-RULE"].map((word) => [word, word === "I-IMPORT" ? 2 : 1]))
    expect(sentBlocks(fourth).at(-1)?.["type"]).toBe("tool_result")
  })

  it("come with a mentioned file and with what a command reads", async () => {
    const { place } = project()
    const mentioned = await ask([text("done")], "look at @sub/b.ts", { place })
    expect([count(mentioned.requests[0], "I-NESTED"), count(mentioned.requests[0], "I-RULE")]).toEqual([1, 1])
    const script = [toolUse("Bash", { command: "cat sub/a.txt", description: "read" }), text("done")]
    const { requests } = await ask(script, "cat it", { place })
    expect([count(requests[0], "I-NESTED"), count(requests[1], "I-NESTED")]).toEqual([0, 1])
  })

  it("are not said again by a resumed session, unless they have changed", async () => {
    const { place, at } = project()
    const answer = await ask([text("done")], "hello", { place })
    const same = await again(place, answer, "once more")
    for (const word of START) expect([word, count(same.requests[0], word)]).toEqual([word, 1])
    writeFileSync(at("CLAUDE.local.md"), "I-LOCAL, newly\n")
    const changed = await again(place, answer, "and now")
    expect([count(changed.requests[0], "I-LOCAL"), count(changed.requests[0], "I-USER")]).toEqual([2, 1])
    expect(said(changed.requests[0]).indexOf("newly")).toBeLessThan(said(changed.requests[0]).indexOf("and now"))
  })

  it("from outside of the project wait, and it is said how to let them in", async () => {
    const { place, at } = project()
    const outside = join(place.home, "outside.md")
    putFile(outside, "I-OUTSIDE\n")
    writeFileSync(at("CLAUDE.md"), `I-PROJECT @${outside}\n`)
    const { requests, stderr } = await ask([text("done")], "hello", { place })
    expect(count(requests[0], "I-OUTSIDE")).toBe(0)
    expect(stderr).toContain("nacre trust imports")
    expect((await run(["trust", "imports"], { place })).code).toBe(0)
    const later = await ask([text("done")], "hello", { place })
    expect(count(later.requests[0], "I-OUTSIDE")).toBe(1)
    expect(later.stderr).not.toContain("nacre trust imports")
  })

  it("of a folder that nobody trusts are text: nothing from outside, and one line says why", async () => {
    const { place, at } = project()
    const outside = join(place.home, "outside.md")
    putFile(outside, "I-OUTSIDE\n")
    putFile(at(".claude/settings.json"), JSON.stringify({ permissions: { allow: ["Bash(ls:*)"] } }))
    writeFileSync(at("CLAUDE.md"), `I-PROJECT @${outside} @docs/style.md\n`)
    const { requests, stderr } = await ask([text("done")], "hello", { place })
    expect([count(requests[0], "I-PROJECT"), count(requests[0], "I-IMPORT"), count(requests[0], "I-OUTSIDE")]).toEqual([
      1, 1, 0
    ])
    expect(stderr).toContain("not trusted")
  })

  it("are counted by nacre context as the endpoint counts them, and it says why each is read", async () => {
    const { place, at } = project()
    writeFileSync(at("docs/style.md"), `I-IMPORT ${"and every name says what a thing is ".repeat(400)}\n`)
    const server = await serve([text("done")])
    const answer = await ask(server, "hello", { place })
    const env = endpointEnv(server)
    const { stdout } = await run(["context", "--continue", "--json"], { place, env })
    const usage = answer.result["usage"] as { readonly input_tokens: number }
    const { used } = JSON.parse(stdout) as { readonly used: number }
    expect(Math.abs(used - usage.input_tokens) / usage.input_tokens).toBeLessThan(0.05)
    const why = async (path: string): Promise<string> => (await run(["context", "--why", path], { place, env })).stdout
    expect(await why("docs/style.md")).toContain(`is read with the first prompt`)
    expect(await why("sub/CLAUDE.md")).toContain("is read with the first file of its folder")
    expect(await why("sub/a.txt")).toContain("is not read: nothing that is read names it")
  })

  it("stay away where they are switched off", async () => {
    const { place } = project()
    const server = await serve(() => text("done"))
    for (const [args, env] of [
      [["--bare"], {}],
      [["--setting-sources", ""], {}],
      [[], { CLAUDE_CODE_DISABLE_CLAUDE_MDS: "1" }]
    ] as const) {
      await run(["-p", ...args, "--", "hello"], { place, env: { ...endpointEnv(server), ...env } })
      expect([args, said(server.requests.at(-1)).includes("I-")]).toEqual([args, false])
    }
  })
})
