/**
 * Reading a long session leaves more behind than it keeps. V8 would carry that along until the heap has grown once
 * more, and the program would never give the room back; collected right after the reading it is used again.
 *
 * The option is off again at once: with another one than at the start Node refuses prepared machine code.
 */
export const collectGarbage = async (): Promise<void> => {
  const [{ setFlagsFromString }, { runInNewContext }] = await Promise.all([import("node:v8"), import("node:vm")])
  setFlagsFromString("--expose-gc")
  const collect: unknown = runInNewContext("gc")
  setFlagsFromString("--no-expose-gc")
  if (typeof collect === "function") collect()
}
