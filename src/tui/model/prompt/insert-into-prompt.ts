import { insertLiteral } from "../../prompt/editor.ts"
import { type AppModel, withCurrent } from "../app-model.ts"

/** Puts a text into the prompt at its caret, as one change that can be undone. */
export const insertIntoPrompt = (model: AppModel, text: string): AppModel =>
  withCurrent(model, (session) => ({
    ...session,
    prompt: { ...session.prompt, editor: insertLiteral(session.prompt.editor, text, model.now) }
  }))
