import type * as ImageLibrary from "@napi-rs/image"
import { Effect } from "effect"
import { LIMITS } from "../../../core/domain/limits.ts"
import { imageSize, type PixelSize } from "../../../core/domain/image-size.ts"
import type { ImageType } from "../../../core/domain/file-type.ts"
import { Files } from "../../../core/ports/Files.ts"
import type { ToolOutput } from "../contract/executor.ts"
import { fileRefusal, type FileTarget, refuse } from "./file-target.ts"

/** Pictures for the model: small enough for the endpoint, scaled when a processor is installed. */
interface Picture {
  readonly bytes: Uint8Array
  readonly type: ImageType
  readonly size: PixelSize | undefined
}

const SOURCE_BYTES = 100 * 1024 * 1024
const JPEG_QUALITIES = [80, 60, 40, 20]

const base64Length = (bytes: Uint8Array): number => Math.ceil(bytes.length / 3) * 4

const longestEdge = (size: PixelSize | undefined): number => Math.max(size?.width ?? 0, size?.height ?? 0)

const isWithinLimits = (picture: Picture): boolean =>
  base64Length(picture.bytes) <= LIMITS.imageBase64Bytes && longestEdge(picture.size) <= LIMITS.imageEdgePx

type Processor = typeof ImageLibrary

/** The processor is optional: a machine without its binary goes on without scaling. */
const loadProcessor = Effect.orElseSucceed(
  Effect.tryPromise(() => import("@napi-rs/image")),
  (): Processor | undefined => undefined
)

const scaledSize = (size: PixelSize): PixelSize => {
  const factor = Math.min(1, LIMITS.imageEdgePx / longestEdge(size))
  return { width: Math.max(1, Math.round(size.width * factor)), height: Math.max(1, Math.round(size.height * factor)) }
}

const scale = async ({ Transformer }: Processor, picture: Picture, size: PixelSize): Promise<Picture> => {
  if (longestEdge(picture.size) <= LIMITS.imageEdgePx) return picture
  const to = scaledSize(size)
  const resized = new Transformer(picture.bytes).resize({ ...to })
  if (picture.type === "image/jpeg") return { bytes: await resized.jpeg(90), type: "image/jpeg", size: to }
  return { bytes: await resized.png(), type: "image/png", size: to }
}

/** Large pictures become JPEG, in ever lower quality until they fit. */
const compress = async ({ Transformer }: Processor, picture: Picture): Promise<Picture> => {
  if (picture.bytes.length <= LIMITS.imageReencodeBytes) return picture
  let smallest = picture
  for (const quality of JPEG_QUALITIES) {
    const bytes = await new Transformer(picture.bytes).jpeg(quality)
    if (bytes.length < smallest.bytes.length) smallest = { ...picture, bytes, type: "image/jpeg" }
    if (isWithinLimits(smallest)) return smallest
  }
  return smallest
}

const fitPicture = (processor: Processor, picture: Picture): Effect.Effect<Picture> => {
  const fit = async (): Promise<Picture> => {
    const size = picture.size ?? (await new processor.Transformer(picture.bytes).metadata())
    return compress(processor, await scale(processor, { ...picture, size }, size))
  }
  // A picture that the processor cannot decode (GIF) is judged as it is.
  return Effect.orElseSucceed(Effect.tryPromise(fit), () => picture)
}

const dimensions = (original: PixelSize | undefined, shown: PixelSize | undefined): Record<string, number> => ({
  ...(original === undefined ? {} : { originalWidth: original.width, originalHeight: original.height }),
  ...(shown === undefined ? {} : { displayWidth: shown.width, displayHeight: shown.height })
})

const output = (original: Picture, shown: Picture): ToolOutput => {
  const base64 = Buffer.from(shown.bytes).toString("base64")
  return {
    data: {
      type: "image",
      file: {
        base64,
        type: shown.type,
        originalSize: original.bytes.length,
        ...(original.size === undefined ? {} : { dimensions: dimensions(original.size, shown.size) })
      }
    },
    content: [{ type: "image", source: { type: "base64", media_type: shown.type, data: base64 } }]
  }
}

export const readImage = Effect.fnUntraced(function* (target: FileTarget, type: ImageType) {
  const files = yield* Files
  const { bytes } = yield* files
    .read(target.path, { approvedRealPath: target.realPath, maxBytes: SOURCE_BYTES })
    .pipe(Effect.mapError(fileRefusal("Nothing was read.")))
  const original: Picture = { bytes, type, size: imageSize(bytes, type) }
  const small = isWithinLimits(original) && bytes.length <= LIMITS.imageReencodeBytes
  const processor = small ? undefined : yield* loadProcessor
  const shown = processor === undefined ? original : yield* fitPicture(processor, original)
  if (isWithinLimits(shown)) return output(original, shown)
  const size = original.size === undefined ? "" : `, ${original.size.width}x${original.size.height} pixels`
  return yield* refuse(
    `ImageTooLarge: ${target.path} (${bytes.length} bytes${size}) exceeds ${LIMITS.imageEdgePx} pixels or ` +
      `${LIMITS.imageBase64Bytes} bytes in base64 and could not be scaled here. Nothing was read. ` +
      "Make a smaller copy and read that."
  )
})
