import { spawn } from "node:child_process"
import { createHash } from "node:crypto"
import { readFileSync, statSync } from "node:fs"
import { join } from "node:path"
import type { ContentBlock } from "../../../../core/domain/block.ts"
import type { Env } from "../../../../core/domain/env.ts"
import type { CmdOf } from "../../../../tui/model/cmd.ts"
import { envForOwnPrograms } from "../../../system/helper-env.ts"
import type { PerformContext } from "../context/command-context.ts"
import { personalPath } from "../files/text-files.ts"
import { writeWhole } from "../../../system/private-file.ts"

/** Images in prompts: read from the clipboard, kept as files, sent as blocks beside the text. */

/** What the API takes at most, before encoding. */
const MOST_BYTES = 3_750_000
const TOOL_LIMIT_MS = 3_000

interface Tool {
  readonly file: string
  readonly args: ReadonlyArray<string>
}

const toolsFor = (env: Env, platform: NodeJS.Platform): ReadonlyArray<Tool> => {
  if (platform === "darwin") return [{ file: "pngpaste", args: ["-"] }]
  if (platform === "win32") return []
  const wayland =
    (env["WAYLAND_DISPLAY"] ?? "") === "" ? [] : [{ file: "wl-paste", args: ["--no-newline", "--type", "image/png"] }]
  const x11 =
    (env["DISPLAY"] ?? "") === "" ? [] : [{ file: "xclip", args: ["-selection", "clipboard", "-t", "image/png", "-o"] }]
  return [...wayland, ...x11]
}

const outputOf = ({ file, args }: Tool): Promise<Buffer> =>
  new Promise((resolve) => {
    const env = envForOwnPrograms(process.env)
    const child = spawn(file, args, { stdio: ["ignore", "pipe", "ignore"], timeout: TOOL_LIMIT_MS, env })
    const chunks: Array<Buffer> = []
    child.stdout.on("data", (chunk: Buffer) => chunks.push(chunk))
    child.on("error", () => resolve(Buffer.alloc(0)))
    child.on("close", (code) => resolve(code === 0 ? Buffer.concat(chunks) : Buffer.alloc(0)))
  })

const MAGIC: ReadonlyArray<readonly [type: string, start: ReadonlyArray<number>]> = [
  ["image/png", [0x89, 0x50, 0x4e, 0x47]],
  ["image/jpeg", [0xff, 0xd8, 0xff]],
  ["image/gif", [0x47, 0x49, 0x46, 0x38]],
  ["image/webp", [0x52, 0x49, 0x46, 0x46]]
]

const mediaTypeOf = (bytes: Uint8Array): string | undefined =>
  MAGIC.find(([, start]) => start.every((byte, at) => bytes[at] === byte))?.[0]

const pathOf = (configHome: string, reference: string): string => join(configHome, "image-cache", reference)

const tooLarge = (what: string, bytes: number): string =>
  `${what} has ${bytes} bytes, at most ${MOST_BYTES} can be sent. Fix: make it smaller`

/** Its name in the cache. */
const kept = (configHome: string, bytes: Uint8Array): string => {
  const reference = `${createHash("sha256").update(bytes).digest("hex").slice(0, 16)}.png`
  writeWhole(pathOf(configHome, reference), bytes)
  return reference
}

/** The bytes of an image file, or why it cannot be taken; undefined for a file that is none. */
const imageIn = (path: string): Uint8Array | string | undefined => {
  const { size } = statSync(path)
  if (size > MOST_BYTES) return tooLarge(path, size)
  const bytes = readFileSync(path)
  return mediaTypeOf(bytes) === undefined ? undefined : bytes
}

/** Files that were dropped on the prompt. All of them are images that can be sent, or the text stays what it was. */
export const takeImages = ({ plan, notice, tell }: PerformContext, { session, paths, text }: CmdOf<"TakeImages">): void => {
  const found = paths.map((path) => {
    try {
      return imageIn(personalPath(plan, path))
    } catch {
      return undefined
    }
  })
  const images = found.filter((each): each is Uint8Array => each instanceof Uint8Array)
  if (images.length === paths.length) {
    for (const bytes of images) tell({ _tag: "ImagePasted", session, reference: kept(plan.configHome, bytes) })
    return
  }
  tell({ _tag: "InsertText", session, text })
  for (const why of found) if (typeof why === "string") notice(why, "error")
}

/** Takes the image of the clipboard into the prompt. */
export const pasteImage = async (
  { plan, notice, tell }: PerformContext,
  { session }: CmdOf<"PasteImage">
): Promise<void> => {
  const tools = toolsFor(plan.env, process.platform)
  for (const tool of tools) {
    const bytes = await outputOf(tool)
    if (mediaTypeOf(bytes) === undefined) continue
    if (bytes.length > MOST_BYTES) return notice(tooLarge("the image", bytes.length), "error")
    tell({ _tag: "ImagePasted", session, reference: kept(plan.configHome, bytes) })
    return
  }
  const why = tools.length === 0 ? "this terminal has no clipboard that can be read" : "the clipboard holds no image"
  notice(`no image: ${why}. Fix: name the file in the prompt`, "warning")
}

/** The text with its images behind it; an image whose file is gone is left out, and the user is told. */
export const contentWith = (
  { plan, notice }: PerformContext,
  text: string,
  images: ReadonlyArray<string>
): string | ReadonlyArray<ContentBlock> => {
  const blocks = images.flatMap((reference): ReadonlyArray<ContentBlock> => {
    try {
      const bytes = readFileSync(pathOf(plan.configHome, reference))
      const mediaType = mediaTypeOf(bytes)
      if (mediaType === undefined) throw new Error("it is not an image")
      return [{ type: "image", source: { type: "base64", media_type: mediaType, data: bytes.toString("base64") } }]
    } catch (error) {
      notice(`an image was left out: ${error instanceof Error ? error.message : String(error)}`, "warning")
      return []
    }
  })
  return blocks.length === 0 ? text : [{ type: "text", text }, ...blocks]
}
