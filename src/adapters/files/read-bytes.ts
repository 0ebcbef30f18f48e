import { createHash } from "node:crypto"
import type { FileContent, FileScan } from "../../core/ports/Files.ts"
import { fileError } from "./failure.ts"
import { type OpenFile, portStat } from "./guarded-open.ts"

const PIECE_BYTES = 256 * 1024

/** Fills `buffer` from `position` on as far as the file reaches. */
const fill = async (file: OpenFile, buffer: Uint8Array, position: number): Promise<number> => {
  let filled = 0
  while (filled < buffer.length) {
    const { bytesRead } = await file.handle.read(buffer, filled, buffer.length - filled, position + filled)
    if (bytesRead === 0) break
    filled += bytesRead
  }
  return filled
}

/** Piece by piece with one buffer; `consume` answers whether to go on. */
export const scanFile = async (
  file: OpenFile,
  consume: (piece: Uint8Array) => boolean,
  signal?: AbortSignal
): Promise<FileScan> => {
  const hash = createHash("sha256")
  const buffer = new Uint8Array(PIECE_BYTES)
  const stat = portStat(file.stat)
  for (let position = 0; ;) {
    signal?.throwIfAborted()
    const length = await fill(file, buffer, position)
    const piece = buffer.subarray(0, length)
    hash.update(piece)
    if (length > 0 && !consume(piece)) return { stat }
    if (length < PIECE_BYTES) return { stat, hash: hash.digest("hex") }
    position += length
  }
}

/** All bytes. The size that the system reports is only a first guess: special file systems report zero. */
export const readFile = async (file: OpenFile, maxBytes: number): Promise<FileContent> => {
  const size = Number(file.stat.size)
  if (size > maxBytes) throw tooLarge(file, size, maxBytes)
  let bytes = new Uint8Array(size + 1)
  let length = await fill(file, bytes, 0)
  while (length === bytes.length) {
    if (length > maxBytes) throw tooLarge(file, length, maxBytes)
    const larger = new Uint8Array(bytes.length * 2 + PIECE_BYTES)
    larger.set(bytes)
    bytes = larger
    length += await fill(file, bytes.subarray(length), length)
  }
  const content = bytes.subarray(0, length)
  return { bytes: content, hash: createHash("sha256").update(content).digest("hex"), stat: portStat(file.stat) }
}

const tooLarge = (file: OpenFile, size: number, maxBytes: number): Error =>
  fileError("tooLarge", file.fact.path, `${file.fact.path} has ${size} bytes, more than the limit of ${maxBytes}`)
