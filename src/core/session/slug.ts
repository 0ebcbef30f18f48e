/** Names of project directories below `projects/`. The name is lossy and only ever made, never read back. */
const NAME_CHARS = 200

/** FNV-1a, 32 bit: short, stable and good enough to tell directories with one long common prefix apart. */
const hashOf = (text: string): string => {
  let hash = 0x811c9dc5
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    hash = Math.imul(hash ^ (code & 0xff), 0x01000193)
    hash = Math.imul(hash ^ (code >>> 8), 0x01000193)
  }
  return (hash >>> 0).toString(36)
}

const plain = (directory: string): string => directory.replace(/[^A-Za-z0-9]/g, "-")

export const projectSlug = (directory: string): string => {
  const name = plain(directory)
  return name.length <= NAME_CHARS ? name : `${name.slice(0, NAME_CHARS)}-${hashOf(directory)}`
}

/**
 * Whether a directory name may hold sessions of `directory`. Long names end in a hash that differs between tools, so
 * they match by prefix and the sessions inside must confirm by their own `cwd`.
 */
export const mayHold = (name: string, directory: string): "yes" | "ask-inside" | "no" => {
  const own = plain(directory)
  if (own.length <= NAME_CHARS) return name === own ? "yes" : "no"
  return name.startsWith(`${own.slice(0, NAME_CHARS)}-`) ? "ask-inside" : "no"
}

const DEVICE = /^(?:con|prn|aux|nul|com[0-9]|lpt[0-9])$/i

/** Whether a name given by the environment may replace the project directory's name. */
export const isProjectDirName = (name: string): boolean => /^[A-Za-z0-9_-]{1,64}$/.test(name) && !DEVICE.test(name)

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

export const isSessionId = (text: string): boolean => UUID.test(text)
