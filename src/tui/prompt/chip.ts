/**
 * Chips: a large paste or an image stands in the buffer as one character, so every motion and deletion takes it as
 * one. The characters come from the end of the last private-use plane, which no font and no text uses; when they
 * arrive from outside they are replaced, so a chip can never be forged.
 */

export type Chip = PasteChip | ImageChip

export interface PasteChip {
  readonly _tag: "Paste"
  readonly number: number
  /** Undefined when the stored paste is gone, or was not read yet. */
  readonly text: string | undefined
  /** Where the text is kept, as long as it was not read: history holds thousands of pastes and reads those in use. */
  readonly stored?: string
}

export interface ImageChip {
  readonly _tag: "Image"
  readonly number: number
  /** Name of the bytes in the image cache. */
  readonly reference: string
}

/** By the character that stands for it. */
export type Chips = ReadonlyMap<string, Chip>

export const NO_CHIPS: Chips = new Map()

const FIRST = 0x10f000
const COUNT = 0xffe
const CHIP_CHARACTERS = /[\u{10f000}-\u{10fffd}]/gu

const LARGE_CHARACTERS = 800
const LARGE_NEWLINES = 2

/** The character of a chip. Numbers go up through a session, so it would take 4,000 live chips to clash. */
export const chipCharacter = (number: number): string => String.fromCodePoint(FIRST + (number % COUNT))

/** Text from outside, with nothing in it that could pass for a chip. */
export const withoutChipCharacters = (text: string): string => text.replace(CHIP_CHARACTERS, "\ufffd")

const newlinesIn = (text: string): number => text.split("\n").length - 1

export const isLargePaste = (text: string): boolean => text.length > LARGE_CHARACTERS || newlinesIn(text) > LARGE_NEWLINES

export const chipLabel = (chip: Chip): string => {
  if (chip._tag === "Image") return `[Image #${chip.number}]`
  const lines = newlinesIn(chip.text ?? "")
  return lines === 0 ? `[Pasted text #${chip.number}]` : `[Pasted text #${chip.number} +${lines} lines]`
}

const replaceChips = (text: string, chips: Chips, by: (chip: Chip) => string): string =>
  text.replace(CHIP_CHARACTERS, (character) => {
    const chip = chips.get(character)
    return chip === undefined ? "" : by(chip)
  })

/** The text that is sent: pastes in full, images by their label. */
export const expandChips = (text: string, chips: Chips): string =>
  replaceChips(text, chips, (chip) => (chip._tag === "Paste" ? (chip.text ?? "") : chipLabel(chip)))

/** Where the pastes of a draft stand in what was sent of it; blanks around it may have been left away. */
export const chipRanges = (
  { text, chips }: { readonly text: string; readonly chips: ReadonlyArray<Chip> },
  sent: string
): ReadonlyArray<{ readonly start: number; readonly end: number; readonly label: string }> => {
  const known = new Map(chips.map((chip) => [chipCharacter(chip.number), chip]))
  const left = expandChips(text, known).indexOf(sent)
  if (left < 0) return []
  let grown = -left
  return [...text.matchAll(CHIP_CHARACTERS)].flatMap(({ 0: character, index }) => {
    const chip = known.get(character)
    const length = chip === undefined ? 0 : expandChips(character, known).length
    const start = index + grown
    grown += length - character.length
    return chip?._tag === "Paste" && length > 0 ? [{ start, end: start + length, label: chipLabel(chip) }] : []
  })
}

/** The text that history keeps and rows above the prompt show. */
export const labelChips = (text: string, chips: Chips): string => replaceChips(text, chips, chipLabel)

/** The chips that a text holds, in its order, each once. */
export const chipsIn = (text: string, chips: Chips): ReadonlyArray<Chip> =>
  [...new Set(text.match(CHIP_CHARACTERS) ?? [])].flatMap((character) => chips.get(character) ?? [])

/** Takes out the chips whose paste is no longer stored. */
export const withoutMissing = (text: string, chips: Chips): string =>
  text.replace(CHIP_CHARACTERS, (character) => {
    const chip = chips.get(character)
    return chip === undefined || (chip._tag === "Paste" && chip.text === undefined) ? "" : character
  })

/** Where the pastes are kept that a prompt shows and has not read. */
export const unreadPastes = (chips: Chips): ReadonlyArray<string> =>
  [...chips.values()].flatMap((chip) => (chip._tag === "Paste" && chip.stored !== undefined ? [chip.stored] : []))

/** The chips with the texts that were read; what is not among them is gone. */
export const withRead = (chips: Chips, texts: ReadonlyMap<string, string>): Chips =>
  new Map(
    [...chips].map(([character, chip]) => {
      if (chip._tag !== "Paste" || chip.stored === undefined) return [character, chip]
      return [character, { _tag: "Paste", number: chip.number, text: texts.get(chip.stored) }]
    })
  )

const LABELS = /\[(?:Pasted text #(\d+)(?: \+\d+ lines)?|Image #(\d+))\]/g

/** A text of history with chips again. They get numbers of this session: those of another one may be taken. */
export const adoptLabels = (
  text: string,
  known: ReadonlyArray<Chip>,
  firstNumber: number
): { readonly text: string; readonly chips: ReadonlyArray<Chip> } => {
  const chips = known.map((chip, index) => ({ ...chip, number: firstNumber + index }))
  const adopt = (label: string, paste: string | undefined, image: string | undefined): string => {
    const tag = paste === undefined ? "Image" : "Paste"
    const index = known.findIndex((chip) => chip._tag === tag && chip.number === Number(paste ?? image))
    return index < 0 ? label : chipCharacter(firstNumber + index)
  }
  return { text: withoutChipCharacters(text).replace(LABELS, adopt), chips }
}

/** A text that an outside program gave back: labels of images that the prompt holds stand for them again. */
export const withImages = (text: string, chips: Chips): string => {
  const images = new Map(
    [...chips].flatMap(([character, chip]) => (chip._tag === "Image" ? [[chipLabel(chip), character]] : []))
  )
  return withoutChipCharacters(text).replace(LABELS, (label) => images.get(label) ?? label)
}

export const chipTable = (chips: Iterable<Chip>): Chips =>
  new Map(Array.from(chips, (chip) => [chipCharacter(chip.number), chip] as const))
