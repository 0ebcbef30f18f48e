/** The entries of an index of git, read as data. */
export interface IndexEntry {
  readonly mode: number
  readonly path: Buffer
  /** Where the next one begins. */
  readonly next: number
}

/** How much of the last path is dropped, in version 4. */
const readVariable = (index: Buffer, from: number): { readonly value: number; readonly next: number } => {
  let at = from
  let byte = index.readUInt8(at++)
  let value = byte & 127
  while ((byte & 128) !== 0) {
    byte = index.readUInt8(at++)
    value = (value + 1) * 128 + (byte & 127)
  }
  return { value, next: at }
}

const readEntry = (index: Buffer, at: number, version: number, hashBytes: number, last: Buffer): IndexEntry => {
  const flagsAt = at + 40 + hashBytes
  const isExtended = version >= 3 && (index.readUInt16BE(flagsAt) & 0x4000) !== 0
  const nameAt = flagsAt + (isExtended ? 4 : 2)
  const dropped = version === 4 ? readVariable(index, nameAt) : { value: last.length, next: nameAt }
  const end = index.indexOf(0, dropped.next)
  if (end < 0) throw new RangeError("a path without an end")
  const kept = last.subarray(0, last.length - dropped.value)
  return {
    mode: index.readUInt32BE(at + 24),
    path: Buffer.concat([kept, index.subarray(dropped.next, end)]),
    next: version === 4 ? end + 1 : at + Math.floor((end - at + 8) / 8) * 8
  }
}

/** A split index keeps the rest of its entries in another file. */
const isSplit = (index: Buffer, from: number, hashBytes: number): boolean => {
  for (let at = from; at + 8 <= index.length - hashBytes; at += 8 + index.readUInt32BE(at + 4)) {
    if (index.toString("latin1", at, at + 4) === "link") return true
  }
  return false
}

const readAll = (index: Buffer, hashBytes: number, note: (entry: IndexEntry) => void): boolean => {
  const version = index.readUInt32BE(4)
  const isIndex = index.toString("latin1", 0, 4) === "DIRC" && version >= 2 && version <= 4
  if (!isIndex) return false
  let last: Buffer = Buffer.alloc(0)
  let at = 12
  for (let left = index.readUInt32BE(8); left > 0; left--) {
    const entry = readEntry(index, at, version, hashBytes, last)
    note(entry)
    last = entry.path
    at = entry.next
  }
  return !isSplit(index, at, hashBytes)
}

/** Shows every entry to `note`; false when the index cannot be read completely. */
export const readIndex = (index: Buffer, hashBytes: number, note: (entry: IndexEntry) => void): boolean => {
  try {
    return readAll(index, hashBytes, note)
  } catch {
    return false
  }
}
