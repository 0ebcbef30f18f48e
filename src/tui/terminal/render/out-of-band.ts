import type { Capabilities, Multiplexer, NotificationChannel } from "./capabilities.ts"
import type { OutOfBand } from "./op.ts"
import type { Progress } from "./screen.ts"
import { BEL, ESC, osc, oscText, ST } from "./sequence.ts"

/** What reaches the terminal beside the cells: title, progress, bell, clipboard, notifications. */

/** Terminals with a limit refuse or cut a longer clipboard. */
export const MOST_CLIPBOARD_BYTES = 100_000
const MOST_TITLE_LENGTH = 256
/** A device control string of screen holds no more. */
const MOST_SCREEN_BYTES = 512
const FRAMING_BYTES = 4

const base64 = (text: string): string => {
  let bytes = ""
  for (const byte of new TextEncoder().encode(text)) bytes += String.fromCharCode(byte)
  return btoa(bytes)
}

/** Whether a text may go through the terminal's clipboard. */
export const fitsClipboard = (text: string): boolean => base64(text).length <= MOST_CLIPBOARD_BYTES

const utf8Length = (codePoint: number): number =>
  codePoint < 0x80 ? 1 : codePoint < 0x800 ? 2 : codePoint < 0x1_0000 ? 3 : 4

const screenChunks = (sequence: string): ReadonlyArray<string> => {
  const chunks = [""]
  let bytes = 0
  for (const character of sequence) {
    const size = utf8Length(character.codePointAt(0) ?? 0)
    if (bytes + size > MOST_SCREEN_BYTES - FRAMING_BYTES) {
      chunks.push("")
      bytes = 0
    }
    chunks[chunks.length - 1] += character
    bytes += size
  }
  return chunks
}

/** Lets a string pass through a multiplexer to the terminal outside. BEL ends it there: ST would end the wrapping. */
const outside = (body: string, multiplexer: Multiplexer): string => {
  if (multiplexer === "none") return osc(body)
  const sequence = `${ESC}]${body}${BEL}`
  if (multiplexer === "tmux") return `${ESC}Ptmux;${sequence.replaceAll(ESC, ESC + ESC)}${ST}`
  return screenChunks(sequence)
    .map((chunk) => `${ESC}P${chunk}${ST}`)
    .join("")
}

const progressBody = (progress: Progress | undefined): string => {
  switch (progress?.state) {
    case undefined:
      return "9;4;0"
    case "busy":
      return "9;4;3"
    case "share":
      return `9;4;1;${Math.round(Math.min(100, Math.max(0, progress.percent)))}`
    case "waiting":
      return "9;4;4"
    case "failed":
      return "9;4;2"
  }
}

/** A text that begins like a number would be taken for another command of the same family. */
const plainStart = (text: string): string => (/^\s*\d+;/.test(text) ? `- ${text}` : text)

const notifyBodies = (channel: NotificationChannel, title: string, body: string): ReadonlyArray<string> => {
  switch (channel) {
    case "osc9":
      return [`9;${plainStart(`${title}: ${body}`)}`]
    case "osc99":
      return [`99;i=nacre:d=0:p=title;${title}`, `99;i=nacre:d=1:p=body;${body}`]
    case "osc777":
      return [`777;notify;${title.replaceAll(";", ",")};${body.replaceAll(";", ",")}`]
    case "bell":
    case "none":
      return []
  }
}

const notify = (title: string, body: string, { notifications, multiplexer }: Capabilities): string => {
  if (notifications === "bell") return BEL
  const bodies = notifyBodies(notifications, oscText(title), oscText(body))
  return bodies.map((each) => outside(each, multiplexer)).join("")
}

export const encodeOutOfBand = (op: OutOfBand, caps: Capabilities): string => {
  switch (op.op) {
    case "Title":
      return osc(`2;${oscText(op.text).slice(0, MOST_TITLE_LENGTH)}`)
    case "Progress":
      return outside(progressBody(op.progress), caps.multiplexer)
    case "Bell":
      return BEL
    case "Clipboard":
      return fitsClipboard(op.text) ? outside(`52;c;${base64(op.text)}`, caps.multiplexer) : ""
    case "Notify":
      return notify(op.title, op.body, caps)
  }
}
