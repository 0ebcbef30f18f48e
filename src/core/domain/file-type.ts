/** What a file is, by its first bytes and never by its name. */
export type ImageType = "image/png" | "image/jpeg" | "image/gif" | "image/webp"

export type Sniffed = { readonly kind: "image"; readonly type: ImageType } | { readonly kind: "pdf" } | undefined

const ascii = (bytes: Uint8Array, start: number, length: number): string =>
  String.fromCharCode(...bytes.subarray(start, start + length))

export const detectFileType = (head: Uint8Array): Sniffed => {
  if (ascii(head, 0, 8) === "\x89PNG\r\n\x1a\n") return { kind: "image", type: "image/png" }
  if (ascii(head, 0, 3) === "\xff\xd8\xff") return { kind: "image", type: "image/jpeg" }
  if (/^GIF8[79]a$/.test(ascii(head, 0, 6))) return { kind: "image", type: "image/gif" }
  if (ascii(head, 0, 4) === "RIFF" && ascii(head, 8, 4) === "WEBP") return { kind: "image", type: "image/webp" }
  if (ascii(head, 0, 5) === "%PDF-") return { kind: "pdf" }
  return undefined
}

const BINARY_TYPES: ReadonlyArray<readonly [string, string]> = [
  ["\x7fELF", "ELF executable"],
  ["MZ", "Windows executable"],
  ["\xcf\xfa\xed\xfe", "Mach-O executable"],
  ["\xca\xfe\xba\xbe", "Java class or universal binary"],
  ["PK\x03\x04", "ZIP archive (also Office documents and jars)"],
  ["\x1f\x8b", "gzip archive"],
  ["BZh", "bzip2 archive"],
  ["\xfd7zXZ", "xz archive"],
  ["\x28\xb5\x2f\xfd", "zstd archive"],
  ["7z\xbc\xaf\x27\x1c", "7-Zip archive"],
  ["SQLite format 3", "SQLite database"],
  ["\0asm", "WebAssembly module"]
]

/** A name for a file that is not text. */
export const binaryType = (head: Uint8Array): string => {
  const begin = ascii(head, 0, 16)
  return BINARY_TYPES.find(([mark]) => begin.startsWith(mark))?.[1] ?? "binary data"
}
