import { readFileSync, utimesSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { makePlace, type Place } from "../support/built-cli.ts"
import { ask, list, messagesIn, object, sentBlocks, sentText, serve, transcriptOf } from "../support/e2e-world.ts"
import { text, toolUse } from "../support/messages-reply.ts"
import type { RecordedRequest } from "../support/messages-server.ts"
import { run as host, scriptedWorld } from "./sdk-host.ts"

/** What prompts name, what changed meanwhile and what the program reminds of, as the endpoint gets it. */

const placeWith = (files: Readonly<Record<string, string>>): Place => {
  const place = makePlace()
  for (const [name, content] of Object.entries(files)) writeFileSync(join(place.cwd, name), content)
  return place
}

const textsOf = (request: RecordedRequest | undefined): ReadonlyArray<string> =>
  sentBlocks(request).map((block) => String(block["text"] ?? block["type"]))

const countIn = (words: string, part: string): number => words.split(part).length - 1

const CONTINUED = { args: ["--continue"] }

describe("a file that a prompt names", () => {
  it("stands before the prompt, which stays as it was typed; a resumed session sends the same bytes, and it once", async () => {
    const place = placeWith({ "a.txt": "APPLES\nPEARS\n" })
    const server = await serve([text("seen"), text("again"), text("and again")])
    const first = await ask(server, "look at @a.txt", { place })
    const texts = textsOf(server.requests[0])
    expect(texts.at(-1)).toBe("look at @a.txt")
    const read = texts.findIndex((part) => part.includes("Called the Read tool with the following input"))
    expect(texts[read]).toContain(JSON.stringify({ file_path: join(place.cwd, "a.txt") }))
    expect(texts[read + 1]).toBe(
      "<system-reminder>\nResult of calling the Read tool:\n1\tAPPLES\n2\tPEARS\n</system-reminder>"
    )
    expect(first.stdout).not.toContain("APPLES")
    await ask(server, "and @a.txt", { place, ...CONTINUED })
    const [before] = messagesIn(server.requests[0])
    const [after] = messagesIn(server.requests[1])
    const plain = (message: unknown): string => JSON.stringify(message).replaceAll(/,"cache_control":\{[^}]*\}/g, "")
    expect(plain(after)).toBe(plain(before))
    expect(countIn(sentText(server.requests[1]), "APPLES")).toBe(1)
    writeFileSync(join(place.cwd, "a.txt"), "PLUMS\n")
    await ask(server, "look at @a.txt once more", { place, ...CONTINUED })
    expect(countIn(sentText(server.requests[2]), "PLUMS")).toBe(1)
  })

  it("may be edited without being read, also in a session that is resumed", async () => {
    const place = placeWith({ "a.txt": "one\ntwo\n" })
    const edit = (from: string, to: string) =>
      toolUse("Edit", { file_path: join(place.cwd, "a.txt"), old_string: from, new_string: to })
    const server = await serve([edit("one", "ONE"), text("done"), edit("two", "TWO"), text("done")])
    const given = { place, args: ["--permission-mode", "acceptEdits"] }
    await ask(server, "change @a.txt", given)
    await ask(server, "go on", { ...given, args: [...given.args, "--continue"] })
    expect(readFileSync(join(place.cwd, "a.txt"), "utf8")).toBe("ONE\nTWO\n")
  })

  it("is left out when it is too long, with a word to the user and none to the model", async () => {
    const place = placeWith({ "big.txt": "LARGE line\n".repeat(20_000), "b.txt": "SMALL\n" })
    const answer = await ask([text("fine")], "see @big.txt and @b.txt", { place })
    expect(sentText(answer.requests[0])).not.toContain("LARGE")
    expect(sentText(answer.requests[0])).toContain("SMALL")
    expect(answer.stderr + answer.stdout).toContain("@big.txt was not attached")
  })

  it("is shown to a host's prompt as well", async () => {
    const { server, world } = await scriptedWorld([text("seen")])
    writeFileSync(join(world.cwd, "a.txt"), "APPLES\n")
    await host(world, "look at @a.txt")
    expect(countIn(sentText(server.requests[0]), "APPLES")).toBe(1)
    expect(textsOf(server.requests[0]).at(-1)).toBe("look at @a.txt")
  })

  it("stays a word where attachments are turned off", async () => {
    const place = placeWith({ "a.txt": "APPLES\n" })
    const answer = await ask([text("fine")], "see @a.txt", { place, env: { CLAUDE_CODE_DISABLE_ATTACHMENTS: "1" } })
    expect(sentText(answer.requests[0])).not.toContain("APPLES")
    expect(sentText(answer.requests[0])).toContain("# Environment")
  })
})

describe("a file that the agent wrote and somebody else changed", () => {
  it("is told with the changed lines before the next prompt, once", async () => {
    const place = makePlace()
    const path = join(place.cwd, "w.txt")
    const server = await serve([
      toolUse("Write", { file_path: path, content: "one\ntwo\n" }),
      text("a"),
      text("b"),
      text("c")
    ])
    await ask(server, "write it", { place, args: ["--permission-mode", "acceptEdits"] })
    writeFileSync(path, "one\nCHANGED\n")
    utimesSync(path, 1_000, 1_000)
    await ask(server, "go on", { place, ...CONTINUED })
    const said = textsOf(server.requests[2]).find((part) => part.includes("was changed on disk"))
    expect(said).toContain(path)
    expect(said).toContain("2\tCHANGED")
    await ask(server, "go on", { place, ...CONTINUED })
    expect(countIn(sentText(server.requests[3]), "was changed on disk")).toBe(1)
  })
})

describe("settings that the model is told of", () => {
  it("name the language and the lines of commits", async () => {
    const settings = { language: "Klingon", attribution: { commit: "Helped-By: us", pr: "" } }
    const answer = await ask([text("fine")], "hello", { args: ["--settings", JSON.stringify(settings)] })
    const words = sentText(answer.requests[0])
    expect(words).toContain("Always respond in Klingon.")
    expect(words).toContain("Helped-By: us")
    expect(words).not.toContain("Co-Authored-By")
  })
})

describe("plan mode", () => {
  it("is explained, and its end is told in the same session", async () => {
    const place = makePlace()
    const server = await serve([text("a plan"), text("done")])
    await ask(server, "plan it", { place, args: ["--permission-mode", "plan"] })
    await ask(server, "do it", { place, ...CONTINUED })
    expect(sentText(server.requests[0])).toContain("Plan mode is on.")
    expect(textsOf(server.requests[1]).some((part) => part.includes("Plan mode is over."))).toBe(true)
    const types = transcriptOf(place).lines.map((line) => object(line["attachment"])["type"])
    expect(types).toEqual(expect.arrayContaining(["plan_mode", "plan_mode_exit"]))
  })
})

describe("attachments in the transcript", () => {
  it("keep the words that were sent", async () => {
    const place = placeWith({ "a.txt": "APPLES\n" })
    await ask([text("seen")], "look at @a.txt", { place })
    const file = transcriptOf(place).lines.find((line) => object(line["attachment"])["type"] === "file")
    expect(object(file?.["attachment"])).toMatchObject({ filename: join(place.cwd, "a.txt"), displayPath: "a.txt" })
    expect(list(file?.["rendered"])).toHaveLength(2)
  })
})
