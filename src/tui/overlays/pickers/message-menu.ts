import { menuOf } from "./menu.ts"
import type { PickerSpec } from "./picker-spec.ts"
import { type Update, raise } from "../../model/update-result.ts"
import type { AppModel } from "../../model/app-model.ts"
import type { MessageChoice } from "../../model/action.ts"

/** What can be done with a message. */

const choose =
  (choice: MessageChoice) =>
  (model: AppModel, entry: string): Update =>
    raise(model, { id: "message:act", entry, choice })

export const MESSAGE_PICKER: PickerSpec = menuOf("Message", {
  title: "This message",
  width: 50,
  acts: {
    "message:retry": choose("retry"),
    "message:edit": choose("edit"),
    "message:fork": choose("fork"),
    "message:rewind": choose("rewind"),
    "message:summariseUpTo": choose("summariseUpTo"),
    "message:summariseFrom": choose("summariseFrom"),
    "message:pin": choose("pin"),
    "message:remember": choose("remember"),
    "message:diff": choose("diff"),
    "message:details": choose("details"),
    "message:copy": choose("copy"),
    "message:quote": choose("quote")
  }
})
