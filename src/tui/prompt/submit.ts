/** Sending what the prompt holds. */
import { chipLabel, chipsIn, expandChips, labelChips, withoutMissing } from "./chip.ts"
import type { PromptCommand, Submission } from "./command.ts"
import { textIn } from "./editor.ts"
import { draftOf, type PromptModel } from "./model.ts"
import { clearPrompt, modeCharacter, type PromptStep } from "./recall.ts"

/** A text as history keeps it: with its mode character, with chips as labels. */
export const displayOf = (
  { editor, mode, chips }: PromptModel,
  text = textIn(editor)
): Pick<Submission, "display" | "chips"> => ({
  display: modeCharacter(mode) + labelChips(text, chips),
  chips: chipsIn(text, chips)
})

const submissionOf = (prompt: PromptModel, text: string): Submission => {
  const { mode, chips } = prompt
  const isQuiet = mode === "shell" && text.startsWith("!")
  return {
    mode,
    text: expandChips(isQuiet ? text.slice(1) : text, chips),
    isQuiet,
    draft: draftOf(prompt),
    ...displayOf(prompt, text)
  }
}

/** A text without its lost pastes may mean something else as a command; only plain prose goes out without them. */
const canGoWithout = ({ mode }: PromptModel, text: string): boolean =>
  mode !== "shell" && !text.startsWith("/") && text.trim() !== ""

/** Nothing happens on blank text. A send never loses what cannot be sent. */
export const submit = (prompt: PromptModel): PromptStep => {
  const text = textIn(prompt.editor)
  const missing = chipsIn(text, prompt.chips).filter((chip) => chip._tag === "Paste" && chip.text === undefined)
  const kept = missing.length === 0 ? text : withoutMissing(text, prompt.chips)
  const names = missing.map(chipLabel).join(", ")
  if (missing.some((chip) => chip._tag === "Paste" && chip.stored !== undefined)) {
    return { prompt, commands: [{ _tag: "Notice", text: `Not sent yet: ${names} is being read` }] }
  }
  if (missing.length > 0 && !canGoWithout(prompt, kept)) {
    return { prompt, commands: [{ _tag: "Notice", text: `Not sent: the text of ${names} is no longer stored` }] }
  }
  const submission = submissionOf(prompt, kept)
  if (submission.text.trim() === "") return { prompt, commands: [] }
  const notices: ReadonlyArray<PromptCommand> =
    missing.length === 0 ? [] : [{ _tag: "Notice", text: `Sent without ${names}: its text is no longer stored` }]
  return { prompt: clearPrompt(prompt), commands: [{ _tag: "Send", submission }, ...notices] }
}
