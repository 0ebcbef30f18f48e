import type { ToolDefinition } from "../model/request/model-request.ts"
import { openInput } from "./contract/input-schema.ts"
import { makeTool, type Tool, wholeInput } from "./contract/tool.ts"

/** What a server says about its tool, as far as the server is trusted; nothing otherwise. */
export interface RemoteHints {
  readonly readOnly?: true
  readonly destructive?: true
  readonly openWorld?: true
  /** Every call is asked about, whatever rules and modes say. */
  readonly alwaysAsks?: true
}

export type RemoteInput = Readonly<Record<string, unknown>>

const MOST_RESULT_CHARS = 100_000
const SUMMARY_CHARS = 200

const shortened = (text: string): string => (text.length <= SUMMARY_CHARS ? text : `${text.slice(0, SUMMARY_CHARS - 1)}…`)

/** Any object is taken here: the server's schema is checked where a call is prepared. Nobody knows what a call touches. */
export const remoteTool = ({ name, description, input_schema }: ToolDefinition, hints: RemoteHints): Tool<RemoteInput> =>
  makeTool<RemoteInput>({
    name,
    description,
    input: openInput(input_schema),
    maxResultChars: MOST_RESULT_CHARS,
    needs: () => [{ kind: hints.alwaysAsks === true ? "interaction" : "other" }],
    traits: () => ({
      readOnly: hints.readOnly === true,
      concurrencySafe: hints.readOnly === true,
      destructive: hints.destructive === true,
      openWorld: hints.openWorld === true
    }),
    summary: (input) => shortened(JSON.stringify(input)),
    classifierInput: wholeInput
  })
