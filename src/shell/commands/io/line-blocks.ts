/** More lines than this are not handed over together, so that answers to a long input begin early. */
const MOST_TOGETHER = 512

const withoutReturn = (line: string): string => (line.endsWith("\r") ? line.slice(0, -1) : line)

function* pieces(lines: ReadonlyArray<string>): Generator<ReadonlyArray<string>> {
  for (let at = 0; at < lines.length; at += MOST_TOGETHER) yield lines.slice(at, at + MOST_TOGETHER).map(withoutReturn)
}

/**
 * Lines of a text that arrives in chunks, those together that came together. Only a line feed ends a line, perhaps after
 * a carriage return: JSON may hold every other separator inside its strings. A byte order mark at the start is dropped.
 */
export async function* lineBlocks(chunks: AsyncIterable<string>): AsyncGenerator<ReadonlyArray<string>> {
  let open: Array<string> = []
  let isStart = true
  for await (const chunk of chunks) {
    const text = isStart && chunk.startsWith("\uFEFF") ? chunk.slice(1) : chunk
    isStart = false
    const end = text.lastIndexOf("\n")
    if (end === -1) {
      open.push(text)
      continue
    }
    const lines = (open.join("") + text.slice(0, end)).split("\n")
    open = [text.slice(end + 1)]
    yield* pieces(lines)
  }
  const last = open.join("")
  if (last !== "") yield [withoutReturn(last)]
}
