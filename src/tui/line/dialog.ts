import type { PermissionQuestion } from "../../core/loop/command.ts"
import type { PermissionAnswer } from "../../core/loop/event.ts"
import { printRule } from "../../core/permission/rule.ts"
import type { PermissionUpdate } from "../../core/permission/update.ts"
import { visible } from "./visible.ts"

/** A question as a numbered list; the answer is a number. */
export interface Choice {
  readonly label: string
  readonly answer: PermissionAnswer
}

export interface Dialog {
  readonly title: ReadonlyArray<string>
  readonly choices: ReadonlyArray<Choice>
}

const describeUpdate = (update: PermissionUpdate): string => {
  switch (update.type) {
    case "setMode":
      return `switch to ${update.mode} mode`
    case "addDirectories":
    case "removeDirectories":
      return `${update.type === "addDirectories" ? "allow work in" : "no longer work in"} ${update.directories.join(", ")}`
    default:
      return update.rules
        .map(({ toolName, ruleContent }) =>
          printRule({ tool: toolName, ...(ruleContent === undefined ? {} : { specifier: ruleContent }) })
        )
        .join(", ")
  }
}

/** The permission question in plain lines: what would run, why it asks, and the choices. */
export const permissionDialog = (question: PermissionQuestion): Dialog => {
  const [suggestion] = question.suggestions
  const remember: ReadonlyArray<Choice> =
    suggestion === undefined || question.decision.immune === true
      ? []
      : [
          {
            label: `Yes, and do not ask again in this session: ${visible(describeUpdate(suggestion))}`,
            answer: { behavior: "allow", updates: [suggestion] }
          }
        ]
  return {
    title: [
      `Permission Required: ${question.tool}`,
      visible(question.summary),
      `Why: ${visible(question.decision.reason.sentence)}`
    ],
    choices: [
      { label: "Yes", answer: { behavior: "allow" } },
      ...remember,
      {
        label: "No",
        answer: { behavior: "deny", message: `Rejected: ${question.tool} was not run, the user refused it. Stop and wait for instructions.` }
      }
    ]
  }
}

export const dialogLines = (dialog: Dialog): ReadonlyArray<string> => [
  ...dialog.title,
  ...dialog.choices.map((choice, index) => `${index + 1}. ${choice.label}`),
  `Enter selection (1-${dialog.choices.length}), or type what to do instead:`
]

/** What a typed line means: a number chooses, any other text refuses and tells the model what to do instead. */
export const readChoice = (dialog: Dialog, line: string): PermissionAnswer | undefined => {
  const text = line.trim()
  if (text === "") return undefined
  const chosen = dialog.choices[Number(text) - 1]
  if (/^\d+$/.test(text)) return chosen?.answer
  return {
    behavior: "deny",
    message: `Rejected: the call was not run. The user said: ${text}`
  }
}
