/**
 * A conversation that is compacted goes on for long, and each of its requests leaves a copy of the window behind as
 * garbage. V8 waits until the heap is several times as large as what lives in it, and longer on a busy machine; from
 * here on it collects earlier. Not at the start: another option of V8 then makes Node refuse prepared machine code.
 */
const GROWTH_PERCENT = 60

export const boundHeapGrowth = async (): Promise<void> => {
  const { setFlagsFromString } = await import("node:v8")
  setFlagsFromString(`--heap-growing-percent=${GROWTH_PERCENT}`)
}
