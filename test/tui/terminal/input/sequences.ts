/** Real sequences, as these terminals send them. ESC is written `\e` so that a row reads like the manuals. */
export const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text.replaceAll("\\e", "\u001b"))

export interface Sample {
  readonly terminal: string
  readonly key: string
  readonly sent: string
  readonly stroke: string
  readonly text?: string
}

type SampleRow = readonly [key: string, sent: string, stroke: string, text?: string]

const samples = (terminal: string, rows: ReadonlyArray<SampleRow>): ReadonlyArray<Sample> =>
  rows.map(([key, sent, stroke, text]) => ({ terminal, key, sent, stroke, ...(text === undefined ? {} : { text }) }))

export const SAMPLES: ReadonlyArray<Sample> = [
  ...samples("xterm", [
    ["a", "a", "a", "a"],
    ["Enter", "\r", "<CR>"],
    ["Ctrl+J", "\n", "<C-j>"],
    ["Tab", "\t", "<Tab>"],
    ["Shift+Tab", "\\e[Z", "<S-Tab>"],
    ["Backspace", "\u007f", "<BS>"],
    ["Ctrl+Backspace as 0x08", "\b", "<BS>"],
    ["Ctrl+W", "\u0017", "<C-w>"],
    ["Ctrl+Space", "\u0000", "<C-Space>"],
    ["Ctrl+_", "\u001f", "<C-_>"],
    ["Ctrl+]", "\u001d", "<C-]>"],
    ["Up", "\\e[A", "<Up>"],
    ["Up, application mode", "\\eOA", "<Up>"],
    ["Ctrl+Right", "\\e[1;5C", "<C-Right>"],
    ["Alt+Shift+Left", "\\e[1;4D", "<A-S-Left>"],
    ["Home", "\\e[H", "<Home>"],
    ["Shift+End", "\\e[1;2F", "<S-End>"],
    ["Insert", "\\e[2~", "<Insert>"],
    ["Delete", "\\e[3~", "<Del>"],
    ["Ctrl+Delete", "\\e[3;5~", "<C-Del>"],
    ["PageUp", "\\e[5~", "<PageUp>"],
    ["F1", "\\eOP", "<F1>"],
    ["F3 with Ctrl", "\\e[1;5R", "<C-F3>"],
    ["F5", "\\e[15~", "<F5>"],
    ["F6", "\\e[17~", "<F6>"],
    ["Shift+F6", "\\e[17;2~", "<S-F6>"],
    ["F12", "\\e[24~", "<F12>"],
    ["Alt+p", "\\ep", "<A-p>"],
    ["Alt+Shift+p then nothing", "\\eP", "<A-S-p>"],
    ["Alt+Enter", "\\e\r", "<A-CR>"],
    ["Alt+Backspace", "\\e\u007f", "<A-BS>"],
    ["Alt+<", "\\e<", "<A-lt>"],
    ["Alt+é", "\\eé", "<A-é>"],
    ["Alt+[ then nothing", "\\e[", "<A-[>"],
    ["Alt+Shift+O then nothing", "\\eO", "<A-S-o>"],
    ["Escape", "\\e", "<Esc>"],
    ["keypad 5, application mode", "\\eOu", "5", "5"],
    ["keypad Enter, application mode", "\\eOM", "<CR>"]
  ]),
  ...samples("xterm modifyOtherKeys", [
    ["Ctrl+i", "\\e[27;5;105~", "<C-i>"],
    ["Ctrl+m", "\\e[27;5;109~", "<C-m>"],
    ["Ctrl+Shift+c", "\\e[27;6;67~", "<C-S-c>"],
    ["Ctrl+Shift+-", "\\e[27;6;95~", "<C-_>"],
    ["Shift+Enter", "\\e[27;2;13~", "<S-CR>"],
    ["Ctrl+Enter", "\\e[27;5;13~", "<C-CR>"],
    ["Shift+Space", "\\e[27;2;32~", "<S-Space>", " "],
    ["Alt+<", "\\e[27;4;60~", "<A-lt>"],
    ["Shift+A", "\\e[27;2;65~", "A", "A"],
    ["Ctrl+Backspace", "\\e[27;5;127~", "<C-BS>"]
  ]),
  ...samples("kitty", [
    ["Escape", "\\e[27u", "<Esc>"],
    ["Ctrl+w", "\\e[119;5u", "<C-w>"],
    ["Ctrl+Shift+c", "\\e[99;6u", "<C-S-c>"],
    ["Ctrl+Shift+-", "\\e[45;6u", "<C-_>"],
    ["Ctrl+Shift+- with alternates", "\\e[45:95;6u", "<C-_>"],
    ["Alt+Shift+,", "\\e[44;4u", "<A-lt>"],
    ["Ctrl+i", "\\e[105;5u", "<C-i>"],
    ["Shift+Enter", "\\e[13;2u", "<S-CR>"],
    ["Shift+Space", "\\e[32;2u", "<S-Space>", " "],
    ["Cmd+k", "\\e[107;9u", "<D-k>"],
    ["Ctrl+с on a Cyrillic layout", "\\e[1089::99;5u", "<C-c>"],
    ["Ctrl+; on Dvorak keeps the letter", "\\e[115::59;5u", "<C-s>"],
    ["Shift+a with text", "\\e[97;2;65u", "A", "A"],
    ["a under caps lock", "\\e[97;65u", "A", "A"],
    ["ä with text", "\\e[228;;228u", "ä", "ä"],
    ["Up", "\\e[A", "<Up>"],
    ["F3", "\\e[13~", "<F3>"],
    ["F13", "\\e[57376u", "<F13>"],
    ["keypad 7", "\\e[57406;;55u", "7", "7"],
    ["keypad Enter", "\\e[57414u", "<CR>"],
    ["keypad Up", "\\e[57419u", "<Up>"],
    ["Ctrl+Alt+Shift+Cmd+x", "\\e[120;16u", "<C-A-S-D-x>"]
  ]),
  ...samples("tmux", [
    ["Home", "\\e[1~", "<Home>"],
    ["End", "\\e[4~", "<End>"],
    ["F1", "\\eOP", "<F1>"],
    ["Ctrl+Shift+c, extended-keys csi-u", "\\e[67;6u", "<C-S-c>"],
    ["Ctrl+Left", "\\e[1;5D", "<C-Left>"]
  ]),
  ...samples("iTerm2", [
    ["Option+Left as Esc+", "\\e\\e[D", "<A-Left>"],
    ["Option+f", "\\ef", "<A-f>"],
    ["Ctrl+Option+x", "\\e\u0018", "<C-A-x>"],
    ["Option+Shift+Up", "\\e[1;4A", "<A-S-Up>"]
  ]),
  ...samples("Windows Terminal", [
    ["Ctrl+Backspace", "\b", "<BS>"],
    ["Alt+v", "\\ev", "<A-v>"],
    ["Ctrl+Home", "\\e[1;5H", "<C-Home>"],
    ["Shift+Tab", "\\e[Z", "<S-Tab>"],
    ["Ctrl+F4", "\\e[1;5S", "<C-F4>"]
  ]),
  ...samples("Linux console", [
    ["F1", "\\e[[A", "<F1>"],
    ["F5", "\\e[[E", "<F5>"],
    ["F6", "\\e[17~", "<F6>"],
    ["Home", "\\e[1~", "<Home>"],
    ["Alt+x", "\\ex", "<A-x>"]
  ]),
  ...samples("rxvt", [
    ["Shift+Up", "\\e[a", "<S-Up>"],
    ["Ctrl+Up", "\\eOa", "<C-Up>"],
    ["Ctrl+Delete", "\\e[3^", "<C-Del>"],
    ["Shift+Delete", "\\e[3$", "<S-Del>"],
    ["Home", "\\e[7~", "<Home>"],
    ["Alt+Down", "\\e\\e[B", "<A-Down>"]
  ])
]
