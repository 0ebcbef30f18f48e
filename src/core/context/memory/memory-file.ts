import { INDEX } from "./memory-index.ts"

/** Files of a memory lie side by side in one directory: a name is never a path. */
const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}\.md$/

/** Whether a name may be a file of the memory, the index included. */
export const isMemoryFile = (name: string): boolean => NAME.test(name) && !name.includes("..")

/** The same for a topic: on some file systems names that differ only in case are the index too. */
export const isTopicFile = (name: string): boolean => isMemoryFile(name) && name.toLowerCase() !== INDEX.toLowerCase()
