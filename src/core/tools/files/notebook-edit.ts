import { Schema } from "effect"
import { LIMITS } from "../../domain/limits.ts"
import { pathProblem, resolveFrom } from "../../domain/path/path-text.ts"
import description from "./notebook-edit.md"
import { makeTool, wholeInput } from "../contract/tool.ts"

export const NotebookEditInput = Schema.Struct({
  notebook_path: Schema.String.annotate({ description: "Absolute path of the .ipynb file" }),
  cell_id: Schema.optionalKey(
    Schema.String.annotate({
      description: "Cell to replace or delete, or to insert after; cell-N names a cell by its place, counted from 0"
    })
  ),
  new_source: Schema.String.annotate({ description: "New source of the cell; ignored by delete" }),
  cell_type: Schema.optionalKey(
    Schema.Literals(["code", "markdown"]).annotate({
      description: "Type of the cell; required by insert, otherwise the present type is kept"
    })
  ),
  edit_mode: Schema.optionalKey(
    Schema.Literals(["replace", "insert", "delete"]).annotate({ description: "What to do (default replace)" })
  )
})
export type NotebookEditInput = typeof NotebookEditInput.Type

const validate = (input: NotebookEditInput): string | undefined => {
  const problem = pathProblem(input.notebook_path)
  if (problem !== undefined) return problem
  const mode = input.edit_mode ?? "replace"
  if (!input.notebook_path.endsWith(".ipynb")) {
    return "WrongTool: the file is not a Jupyter notebook (.ipynb). Nothing was changed. Use Edit."
  }
  if (mode === "insert" && input.cell_type === undefined) {
    return "InvalidInput: edit_mode insert needs cell_type. Nothing was changed."
  }
  if (mode !== "insert" && input.cell_id === undefined) {
    return `InvalidInput: edit_mode ${mode} needs cell_id. Nothing was changed. Read shows the ids.`
  }
  return undefined
}

export const notebookEditTool = makeTool<NotebookEditInput>({
  name: "NotebookEdit",
  description,
  input: NotebookEditInput,
  maxResultChars: 100_000,
  classifierInput: wholeInput,
  needs: (input, cwd) => [{ kind: "edit", path: resolveFrom(cwd, input.notebook_path) }],
  summary: (input) =>
    `${input.edit_mode ?? "replace"} ${input.cell_id ?? "first cell"} in ${input.notebook_path}`.slice(
      0,
      LIMITS.toolSummaryChars
    ),
  validate
})
