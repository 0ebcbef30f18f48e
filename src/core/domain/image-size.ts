import type { ImageType } from "./file-type.ts"

/** Width and height from the header of an image, without decoding it. */
export interface PixelSize {
  readonly width: number
  readonly height: number
}

const size = (width: number, height: number): PixelSize | undefined =>
  width > 0 && height > 0 ? { width, height } : undefined

const pngSize = (view: DataView): PixelSize | undefined =>
  view.byteLength < 24 ? undefined : size(view.getUint32(16), view.getUint32(20))

const gifSize = (view: DataView): PixelSize | undefined =>
  view.byteLength < 10 ? undefined : size(view.getUint16(6, true), view.getUint16(8, true))

const isFrameMarker = (marker: number): boolean =>
  marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc

/** Walks the segments of a JPEG up to the one that opens the frame. */
const jpegSize = (view: DataView): PixelSize | undefined => {
  let at = 2
  while (at + 9 <= view.byteLength) {
    if (view.getUint8(at) !== 0xff) return undefined
    const marker = view.getUint8(at + 1)
    if (isFrameMarker(marker)) return size(view.getUint16(at + 7), view.getUint16(at + 5))
    const padding = marker === 0xff
    at += padding ? 1 : 2 + view.getUint16(at + 2)
  }
  return undefined
}

const webpSize = (view: DataView): PixelSize | undefined => {
  if (view.byteLength < 30) return undefined
  const chunk = String.fromCharCode(view.getUint8(12), view.getUint8(13), view.getUint8(14), view.getUint8(15))
  if (chunk === "VP8 ") return size(view.getUint16(26, true) & 0x3fff, view.getUint16(28, true) & 0x3fff)
  if (chunk === "VP8L") {
    const bits = view.getUint32(21, true)
    return size((bits & 0x3fff) + 1, ((bits >>> 14) & 0x3fff) + 1)
  }
  if (chunk !== "VP8X") return undefined
  const three = (at: number): number => view.getUint16(at, true) | (view.getUint8(at + 2) << 16)
  return size(three(24) + 1, three(27) + 1)
}

const READERS: Record<ImageType, (view: DataView) => PixelSize | undefined> = {
  "image/png": pngSize,
  "image/gif": gifSize,
  "image/jpeg": jpegSize,
  "image/webp": webpSize
}

export const imageSize = (bytes: Uint8Array, type: ImageType): PixelSize | undefined =>
  READERS[type](new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength))
