import type { ActionRow, ActionTable } from "../src/tui/keymap/actions/action.ts"
import { ACTION_TABLES } from "../src/tui/keymap/actions/action-tables.ts"
import { CONTEXTS } from "../src/tui/keymap/actions/context.ts"
import { showKeys } from "../src/tui/keymap/help.ts"
import { strokesIn } from "../src/tui/keymap/keymap.ts"
import { VIM_KEYS, type VimKeyTable } from "../src/tui/keymap/vim-keys.ts"

/** Writes docs/KEYS.md from the tables that the program itself uses. A test compares, and updates it with `-u`. */
const INTRODUCTION = `# Keys

Made from the key tables of the program; do not edit. To update it:
\`npx vitest run test/tui/keymap/document.test.ts -u\`.

The same list is in the program: \`F1\` anywhere, \`g?\` in a pane, \`?\` on an empty prompt. It shows your own keys.

## How keys are written

- Panes and vim states: like vim. \`<C-w>\` is Ctrl+W, \`<A-x>\` Alt+X, \`<S-Tab>\` Shift+Tab, \`<CR>\` Enter, \`<BS>\`
  Backspace, \`gg\` g twice. \`<Leader>\` is \`\\\` unless \`nacre.tui.leader\` says otherwise.
- Everything else: like keybindings.json. \`ctrl+x ctrl+w\` is one key after the other. A lone capital means Shift.

## Which binding wins

The dialog that is open, then the focused pane, then the prompt or the transcript, then everywhere. In one context the
later binding wins, and yours come after the defaults. A key that begins a longer one waits up to a second for the rest;
Escape ends the waiting.

## Changing keys

\`/keybindings\` creates \`keybindings.json\` in the configuration directory and opens it. It is read again when it
changes. \`null\` unbinds a key in its context.

\`\`\`json
{
  "bindings": [
    { "context": "Chat", "bindings": { "meta+e": "chat:externalEditor", "ctrl+s": null } },
    { "context": "Window", "bindings": { "Z": "window:zoom" } }
  ]
}
\`\`\`

Modifiers are \`ctrl\`, \`shift\`, \`alt\` (or \`meta\`, \`option\`) and \`cmd\` (or \`super\`, \`win\`). Named keys are
\`escape enter tab space up down left right home end pageup pagedown backspace delete insert\` and \`f1\` to \`f12\`.
\`ctrl+c\`, \`ctrl+d\`, \`ctrl+m\` and caps lock cannot be bound. What cannot work is reported with line and column when
the file is read, and by \`:keys conflicts\`.

Keys that stand for other keys are mapped with \`:nmap\`, \`:vmap\`, \`:imap\` and \`:cmap\`, listed by \`:map\` and removed by
\`:unmap\`, at any time or in \`nacre/vimrc\` of the configuration directory.
`

/** A code span that survives a table: pipes are escaped, a backquote gets longer fences. */
const code = (text: string): string => {
  const escaped = text.replaceAll("|", "\\|")
  return escaped.includes("`") ? `\`\` ${escaped} \`\`` : `\`${escaped}\``
}

const shown = (context: ActionTable["context"], keys: ReadonlyArray<string>): string => {
  const { notation } = CONTEXTS[context]
  const texts = keys.map((key) => (key.startsWith("<Leader>") ? key : showKeys(strokesIn(context, key, ""), notation)))
  return [...new Set(texts)].map(code).join(" ")
}

const notes = (context: ActionTable["context"], row: ActionRow): ReadonlyArray<string> => [
  ...(row.takes === undefined ? [] : [`then a ${row.takes}`]),
  ...(row.fixed === undefined ? [] : ["fixed"]),
  ...(row.only === undefined ? [] : [`${row.only} only`]),
  ...(row.pager === undefined ? [] : ["with pagerKeys"]),
  ...(row.windows === undefined ? [] : [`Windows: ${shown(context, row.windows)}`]),
  ...(row.wsl === undefined ? [] : [`WSL: ${shown(context, row.wsl)}`])
]

const actionLine = (context: ActionTable["context"], row: ActionRow): string => {
  const remarks = notes(context, row)
  const about = row.description + (remarks.length === 0 ? "" : ` (${remarks.join("; ")})`)
  return `| ${row.keys.length === 0 ? "unbound" : shown(context, row.keys)} | ${code(row.id)} | ${about} |`
}

const vimSection = ({ title, rows }: VimKeyTable): string =>
  [
    `### ${title}`,
    "",
    "| keys | what they do |",
    "| --- | --- |",
    ...rows.map(([keys, description]) => `| ${code(keys)} | ${description} |`),
    ""
  ].join("\n")

const actionSection = ({ context, rows, passes = [] }: ActionTable): string =>
  [
    `## ${CONTEXTS[context].title} (${code(context)})`,
    "",
    "| keys | action | what it does |",
    "| --- | --- | --- |",
    ...rows.map((row) => actionLine(context, row)),
    "",
    ...(passes.length === 0 ? [] : [`Left to vim here: ${shown(context, passes)}.`, ""]),
    ...VIM_KEYS.filter((table) => table.context === context).map(vimSection)
  ].join("\n")

export const keysDocument = (): string => [INTRODUCTION, ...ACTION_TABLES.map(actionSection)].join("\n")
