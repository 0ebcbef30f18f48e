/** The control functions that may be written, by purpose. Nothing else in the program spells an escape sequence. */
export const ESC = "\u001B"
export const CSI = `${ESC}[`
const OSC = `${ESC}]`
/** Ends an OSC or DCS string. */
export const ST = `${ESC}\\`
export const BEL = "\u0007"
export const CR = "\r"
export const LF = "\n"
export const BS = "\b"

export const osc = (body: string): string => `${OSC}${body}${ST}`

export const setMode = (...modes: ReadonlyArray<number>): string => `${CSI}?${modes.join(";")}h`
export const resetMode = (...modes: ReadonlyArray<number>): string => `${CSI}?${modes.join(";")}l`

export const SYNC_BEGIN = setMode(2026)
export const SYNC_END = resetMode(2026)
export const CURSOR_SHOW = setMode(25)
export const CURSOR_HIDE = resetMode(25)
export const STYLE_RESET = `${CSI}m`
export const LINK_CLOSE = osc("8;;")
export const ERASE_TO_END = `${CSI}K`
export const REGION_RESET = `${CSI}r`

const CONTROL_CHARACTERS = /[\p{Cc}\p{Cs}\u2028\u2029]+/gu

/** Text that stands inside an OSC string: without anything that could end it or begin another. */
export const oscText = (text: string): string => text.replaceAll(CONTROL_CHARACTERS, " ")
