import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { expect } from "vitest"

const HERE = dirname(fileURLToPath(import.meta.url))

const readIfThere = (path: string): string | undefined => {
  try {
    return readFileSync(path, "utf8")
  } catch {
    return undefined
  }
}

/** Compares with the stored text byte by byte; with NACRE_UPDATE_GOLDEN=1 the text becomes the stored one. */
export const expectGolden = (name: string, text: string): void => {
  const path = join(HERE, `${name}.txt`)
  if (process.env["NACRE_UPDATE_GOLDEN"] === "1") {
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, text)
  }
  const stored = readIfThere(path)
  if (stored === undefined) throw new Error(`${name}.txt is missing: run with NACRE_UPDATE_GOLDEN=1 and look at it`)
  expect(text).toBe(stored)
}
