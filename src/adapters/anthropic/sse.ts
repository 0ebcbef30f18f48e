/**
 * Server-sent events, framed by hand: bytes in, frames out. The SDK's own framing hides pings and comments, which are
 * signs of life, and costs a promise per event. Lines end with LF or CRLF, as every known endpoint sends them.
 */
export interface Frame {
  readonly event: string | undefined
  readonly data: string
}

/** A frame that grows past this has lost its end; holding more of it would only fill the memory. */
export const MAX_FRAME_CHARS = 32 * 1024 * 1024

export interface Framer {
  /** Adds bytes as they came from the socket; they may end inside a character. */
  readonly push: (bytes: Uint8Array) => void
  /** The next complete frame, or undefined when more bytes are needed. */
  readonly take: () => Frame | undefined
  readonly pendingChars: () => number
}

const fieldValue = (line: string, name: string): string | undefined => {
  if (!line.startsWith(name) || line.charCodeAt(name.length) !== 0x3a) return undefined
  const from = name.length + 1
  return line.slice(line.charCodeAt(from) === 0x20 ? from + 1 : from)
}

export const makeFramer = (): Framer => {
  const decoder = new TextDecoder("utf-8")
  /** Whole lines, read up to `start`. */
  let lines = ""
  let start = 0
  /** The pieces of a line that has not ended; joined only when it has, so that a long line costs its length once. */
  let unfinished: Array<string> = []
  let unfinishedChars = 0
  let event: string | undefined
  let data: string | undefined

  const nextLine = (): string | undefined => {
    const end = lines.indexOf("\n", start)
    if (end === -1) return undefined
    const line = lines.slice(start, end > start && lines.charCodeAt(end - 1) === 0x0d ? end - 1 : end)
    start = end + 1
    return line
  }

  const takeLine = (line: string): void => {
    const value = fieldValue(line, "data")
    if (value !== undefined) data = data === undefined ? value : `${data}\n${value}`
    else event = fieldValue(line, "event") ?? event
  }

  return {
    push: (bytes) => {
      const text = decoder.decode(bytes, { stream: true })
      const end = text.lastIndexOf("\n") + 1
      if (end > 0) {
        lines = lines.slice(start) + unfinished.join("") + text.slice(0, end)
        start = 0
        unfinished = []
        unfinishedChars = 0
      }
      unfinished.push(text.slice(end))
      unfinishedChars += text.length - end
    },
    take: () => {
      for (let line = nextLine(); line !== undefined; line = nextLine()) {
        if (line !== "") {
          takeLine(line)
          continue
        }
        if (event === undefined && data === undefined) continue
        const frame: Frame = { event, data: data ?? "" }
        event = undefined
        data = undefined
        return frame
      }
      return undefined
    },
    pendingChars: () => lines.length - start + unfinishedChars + (data?.length ?? 0)
  }
}
