import type { ContextSource } from "./source.ts"

/** After the full reminder a short one follows with every sixth prompt. */
const PROMPTS = 6

const FULL = `Plan mode is on. The user wants a plan before anything changes:
- Read, search and run commands that only look. Change nothing: calls that would are refused.
- Ask the user where the task leaves a choice open.
- End with the plan: what changes where, in which order, and how it will be checked.
The user leaves plan mode when the plan may be carried out.`

const SHORT = "Plan mode is still on: look, change nothing, and end with the plan."

const OVER = "Plan mode is over. You may change things again, as far as the permissions allow."

export const plan_mode: ContextSource<"plan_mode"> = {
  derive: ({ mode, pace: { promptsInPlan = 0 } }) =>
    mode === "plan" ? [{ id: "plan", value: { reminder: Math.floor(promptsInPlan / PROMPTS) } }] : [],
  isStanding: true,
  say: (_items, isUpdate) => ({
    type: "plan_mode",
    fields: { reminderType: isUpdate ? "sparse" : "full" },
    words: isUpdate ? SHORT : FULL
  }),
  takeBack: () => ({ type: "plan_mode_exit", words: OVER })
}
