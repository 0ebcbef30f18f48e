import type { Chunks } from "./chunks.ts"

/** What the decoder remembers between two reads, and the facts about the terminal that change what bytes mean. */
export interface DecodeOptions {
  /** How long a lone ESC waits for the rest of a sequence: 25 locally, 75 over SSH or in a multiplexer. */
  readonly escDelayMs: number
  /** The terminal is known to bracket pastes, so fast typing is typing. The decoder learns it from the first paste. */
  readonly bracketsPastes: boolean
  /** Byte 0x08 is Ctrl+Backspace instead of Backspace. */
  readonly bsIsCtrlBackspace: boolean
  /** A cursor report was asked for: `CSI 1;2 R` is then a position, otherwise Shift+F3. */
  readonly expectsCursorReport: boolean
}

export interface DecodeState {
  readonly options: DecodeOptions
  readonly phase: Phase
}

/** Where in the stream the decoder stands. Times are those of the bytes, given by the caller. */
export type Phase =
  | { readonly _tag: "Ground" }
  /** Typed text held back until it is clear whether it is typing or a paste. */
  | {
      readonly _tag: "Run"
      readonly bytes: Chunks | undefined
      readonly characters: number
      readonly isPaste: boolean
      readonly startedAt: number
      readonly lastAt: number
    }
  /** One ESC, or two: the second may be the prefix of Alt for the sequence that follows. */
  | { readonly _tag: "Escape"; readonly count: 1 | 2; readonly lastAt: number }
  /** ESC and a part of a character: Alt with a letter outside ASCII. */
  | { readonly _tag: "AltCharacter"; readonly bytes: ReadonlyArray<number>; readonly lastAt: number }
  | {
      readonly _tag: "Sequence"
      readonly introducer: "[" | "O"
      readonly isAlt: boolean
      readonly body: string
      readonly lastAt: number
    }
  /** The three bytes after `CSI M` of terminals that know only the oldest mouse reports. */
  | { readonly _tag: "OldMouse"; readonly bytes: ReadonlyArray<number>; readonly lastAt: number }
  | {
      readonly _tag: "ControlString"
      readonly introducer: StringIntroducer
      readonly bytes: Chunks | undefined
      readonly afterEscape: boolean
      /** It has so long in all: keys typed behind a string that never ends do not prolong it. */
      readonly since: number
      readonly lastAt: number
    }
  | { readonly _tag: "Paste"; readonly bytes: Chunks | undefined; readonly matched: number; readonly lastAt: number }
  /** A paste seems to be over. What comes right behind it is held back: another end marker says that it was not. */
  | {
      readonly _tag: "AfterPaste"
      readonly bytes: Chunks | undefined
      readonly matched: number
      readonly since: number
      readonly lastAt: number
    }

/** OSC, DCS, APC, PM and SOS, by the character after ESC. */
export type StringIntroducer = "]" | "P" | "_" | "^" | "X"

export const LOCAL_OPTIONS: DecodeOptions = {
  escDelayMs: 25,
  bracketsPastes: false,
  bsIsCtrlBackspace: false,
  expectsCursorReport: false
}

export const initialDecodeState = (options: Partial<DecodeOptions> = {}): DecodeState => ({
  options: { ...LOCAL_OPTIONS, ...options },
  phase: { _tag: "Ground" }
})

/** The same place in the stream under new facts: a probe was answered, or a cursor report was asked for. */
export const withOptions = (state: DecodeState, options: Partial<DecodeOptions>): DecodeState => ({
  ...state,
  options: { ...state.options, ...options }
})
