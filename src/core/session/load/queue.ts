import type { MetaOf, MetaRecord } from "../transcript/meta-record.ts"

/** Prompts that were queued and never sent, from the queue operations of a transcript. */
type Operation = MetaOf<"queue-operation">

const without = (queue: ReadonlyArray<unknown>, content: unknown): ReadonlyArray<unknown> => {
  if (content === undefined) return queue.slice(1)
  const wanted = JSON.stringify(content)
  const at = queue.findIndex((item) => JSON.stringify(item) === wanted)
  return at < 0 ? queue : queue.toSpliced(at, 1)
}

const apply = (queue: ReadonlyArray<unknown>, { operation, content }: Operation): ReadonlyArray<unknown> => {
  if (operation === "popAll") return []
  if (operation !== "enqueue") return without(queue, content)
  return content === undefined ? queue : [...queue, content]
}

export const queueOf = (records: ReadonlyArray<MetaRecord>): ReadonlyArray<unknown> =>
  records.reduce<ReadonlyArray<unknown>>(
    (queue, record) => (record.type === "queue-operation" ? apply(queue, record) : queue),
    []
  )
