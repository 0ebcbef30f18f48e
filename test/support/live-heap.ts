import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"

/** Runs a full collection now. */
export const collect: () => void = (() => {
  setFlagsFromString("--expose-gc")
  return runInNewContext("gc") as () => void
})()

/** Bytes that making a value leaves in the heap as long as the value is held. */
export const heldBy = <A>(make: () => A): { readonly value: A; readonly bytes: number } => {
  collect()
  const before = process.memoryUsage().heapUsed
  const value = make()
  collect()
  return { value, bytes: process.memoryUsage().heapUsed - before }
}
