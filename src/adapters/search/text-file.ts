import { open } from "node:fs/promises"

/** A file's text for searching: UTF-8, or UTF-16 by its byte-order mark. */
export type FileText =
  | { readonly _tag: "Text"; readonly text: string }
  /** Holds NUL; the text is there all the same, for a file that was named explicitly. */
  | { readonly _tag: "Binary"; readonly text: string }
  | { readonly _tag: "TooLarge" }

const MAX_BYTES = 100 * 1024 * 1024

const encodingOf = (bytes: Buffer): string => {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return "utf-16le"
  return bytes[0] === 0xfe && bytes[1] === 0xff ? "utf-16be" : "utf-8"
}

export const readText = async (path: string): Promise<FileText> => {
  const file = await open(path, "r")
  try {
    if ((await file.stat()).size > MAX_BYTES) return { _tag: "TooLarge" }
    const bytes = await file.readFile()
    const encoding = encodingOf(bytes)
    const text = new TextDecoder(encoding).decode(bytes)
    return { _tag: encoding === "utf-8" && bytes.includes(0) ? "Binary" : "Text", text }
  } finally {
    await file.close()
  }
}
