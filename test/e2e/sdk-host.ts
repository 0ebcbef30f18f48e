import {
  query,
  type Options,
  type Query,
  type SDKAssistantMessage,
  type SDKMessage,
  type SDKResultMessage,
  type SDKUserMessage
} from "@anthropic-ai/claude-agent-sdk"
import { builtCli, makePlace, type Place } from "../support/built-cli.ts"
import { serve } from "../support/e2e-world.ts"
import type { MessagesServer, Script } from "../support/messages-server.ts"

/** A host on the public agent SDK that drives the built program, with a home and a folder of its own. */
const CLI = await builtCli()

export interface World extends Place {
  /** All the child process sees; nothing of the machine's own environment leaks in. */
  readonly env: Readonly<Record<string, string>>
}

export const freshWorld = (variables: Readonly<Record<string, string>> = {}): World => {
  const place = makePlace()
  const env = { PATH: process.env["PATH"] ?? "", HOME: place.home, NACRE_CONFIG_DIR: place.config, ...variables }
  return { ...place, env }
}

export interface ScriptedWorld {
  readonly server: MessagesServer
  readonly world: World
}

/** A world whose program talks to the scripted server instead of the offline model. */
export const scriptedWorld = async (script: Script): Promise<ScriptedWorld> => {
  const server = await serve(script)
  return { server, world: freshWorld({ ANTHROPIC_BASE_URL: server.url, ANTHROPIC_API_KEY: "test-key" }) }
}

const optionsFor = (world: World, options: Options): Options => ({
  pathToClaudeCodeExecutable: CLI,
  executable: "node",
  cwd: world.cwd,
  env: { ...world.env },
  ...options
})

export const isResult = (message: SDKMessage): message is SDKResultMessage => message.type === "result"

export const isAssistant = (message: SDKMessage): message is SDKAssistantMessage => message.type === "assistant"

/** The `system` messages of one kind. */
export const systemLines = (messages: ReadonlyArray<SDKMessage>, subtype: string): ReadonlyArray<SDKMessage> =>
  messages.filter((message) => message.type === "system" && message.subtype === subtype)

export const textOf = (message: SDKAssistantMessage): string =>
  message.message.content.map((block) => (block.type === "text" ? block.text : "")).join("")

/** The results of tools as the host sees them, in order. */
export const toolResults = (messages: ReadonlyArray<SDKMessage>): ReadonlyArray<string> =>
  messages.flatMap((message) => {
    if (message.type !== "user" || typeof message.message.content === "string") return []
    return message.message.content.flatMap((block) => {
      if (block.type !== "tool_result") return []
      return [typeof block.content === "string" ? block.content : JSON.stringify(block.content)]
    })
  })

export interface Run {
  readonly messages: ReadonlyArray<SDKMessage>
  readonly result: SDKResultMessage
  /** What the SDK threw at the end; it does so after every error result. */
  readonly failure: string | undefined
}

/** One prompt from start to end of the program. */
export const run = async (world: World, prompt: string, options: Options = {}): Promise<Run> => {
  const messages: Array<SDKMessage> = []
  let failure: string | undefined
  try {
    for await (const message of query({ prompt, options: optionsFor(world, options) })) messages.push(message)
  } catch (error) {
    failure = error instanceof Error ? error.message : String(error)
  }
  const result = messages.findLast(isResult)
  if (result === undefined) throw new Error(`there was no result: ${failure ?? JSON.stringify(messages)}`)
  return { messages, result, failure }
}

/** Prompts for the SDK to take one by one; `push` is fulfilled when the prompt has been written to the program. */
class Inbox implements AsyncIterable<SDKUserMessage> {
  private readonly waiting: Array<{ readonly message: SDKUserMessage; readonly written: () => void }> = []
  private wake: () => void = () => {}
  private closed = false

  push(message: SDKUserMessage): Promise<void> {
    return new Promise((written) => {
      this.waiting.push({ message, written })
      this.wake()
    })
  }

  close(): void {
    this.closed = true
    this.wake()
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<SDKUserMessage> {
    for (;;) {
      const next = this.waiting.shift()
      if (next !== undefined) {
        yield next.message
        next.written()
      } else if (this.closed) {
        return
      } else {
        await new Promise<void>((resolve) => {
          this.wake = resolve
        })
      }
    }
  }
}

/** A conversation of several prompts with one program. Messages are pulled, so nothing is missed between two waits. */
export class Conversation {
  readonly heard: Array<SDKMessage> = []
  readonly query: Query
  private readonly inbox = new Inbox()

  constructor(world: World, options: Options = {}) {
    this.query = query({ prompt: this.inbox, options: optionsFor(world, options) })
  }

  say(text: string, fields: Partial<SDKUserMessage> = {}): Promise<void> {
    const message = { role: "user" as const, content: text }
    return this.inbox.push({ type: "user", message, parent_tool_use_id: null, ...fields })
  }

  /** The next message that is meant. */
  async hear<M extends SDKMessage>(isMeant: (message: SDKMessage) => message is M): Promise<M>
  async hear(isMeant: (message: SDKMessage) => boolean): Promise<SDKMessage>
  async hear(isMeant: (message: SDKMessage) => boolean): Promise<SDKMessage> {
    for (;;) {
      const next = await this.query.next()
      if (next.done === true) throw new Error(`the program ended first: ${JSON.stringify(this.heard)}`)
      this.heard.push(next.value)
      if (isMeant(next.value)) return next.value
    }
  }

  result(): Promise<SDKResultMessage> {
    return this.hear(isResult)
  }

  /** Closes the program's input and reads until it has ended. */
  async leave(): Promise<void> {
    this.inbox.close()
    for (let next = await this.query.next(); next.done !== true; next = await this.query.next()) {
      this.heard.push(next.value)
    }
  }
}
