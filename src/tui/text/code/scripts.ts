/** Languages of scripts and of shells. */
import { type Language, languageOf, modal, type Rule } from "./grammar.ts"

const python = languageOf("python", {
  keywords: `
    and as assert async await break case class continue def del elif else except finally for from global if import in
    is lambda match nonlocal not or pass raise return try type while with yield
  `,
  types: "bool bytes dict float frozenset int list object set str tuple",
  constants: "True False None self cls",
  capitals: true,
  comments: ["#"],
  strings: [
    { open: `[rRbBfFuU]{0,2}"""`, close: `"""`, lines: true },
    { open: `[rRbBfFuU]{0,2}'''`, close: `'''`, lines: true },
    { open: `[rRbBfFuU]{0,2}"`, close: `"` },
    { open: `[rRbBfFuU]{0,2}'`, close: `'` }
  ],
  rules: [{ match: String.raw`^\s*@[\w.]+`, role: "function" }]
})

const ruby = languageOf("ruby", {
  keywords: `
    BEGIN END alias and begin break case class def defined? do else elsif end ensure extend for if in include loop
    module next not or prepend private protected public raise redo require require_relative rescue retry return self
    super then undef unless until when while yield attr_accessor attr_reader attr_writer
  `,
  constants: "true false nil",
  capitals: true,
  comments: ["#"],
  blocks: [{ open: "^=begin", close: "^=end" }],
  strings: [
    { open: `"`, close: `"`, lines: true, hole: { open: String.raw`#\{`, close: "}" } },
    { open: `'`, close: `'`, lines: true },
    { open: "`", close: "`", lines: true, hole: { open: String.raw`#\{`, close: "}" } }
  ],
  rules: [
    { match: String.raw`(?<!:):[a-zA-Z_]\w*[?!]?`, role: "number" },
    { match: String.raw`[a-zA-Z_]\w*:(?!:)`, role: "number" },
    { match: String.raw`@@?\w+|\$\w+`, role: "code" },
    { match: String.raw`(?<=(?:^|[=(,~|&!]|\b(?:if|unless|when|and|or))\s*)/(?:\\.|[^/\\])+/[imx]*`, role: "string" }
  ]
})

const lua = languageOf("lua", {
  keywords: "and break do else elseif end for function goto if in local not or repeat return then until while",
  constants: "true false nil self",
  blocks: [{ open: String.raw`--\[\[`, close: String.raw`\]\]` }],
  comments: ["--"],
  strings: [
    { open: `"`, close: `"` },
    { open: `'`, close: `'` },
    { open: String.raw`\[\[`, close: String.raw`\]\]`, lines: true, escape: "(?!)" }
  ],
  rules: [{ match: String.raw`--(?!\[\[).*`, role: "comment" }]
})

const EXPANSION: ReadonlyArray<Rule> = [
  { match: String.raw`\$\{[^}]*\}?|\$[\w@*#?$!-]`, role: "code" },
  { match: String.raw`\$\(`, role: "keyword", push: "command" }
]

const SHELL: ReadonlyArray<Rule> = [
  { match: String.raw`(?<=^|\s)#.*`, role: "comment" },
  { match: String.raw`\\.`, role: "string" },
  { match: `"`, role: "string", push: "double" },
  { match: String.raw`\$?'`, role: "string", push: "single" },
  { match: String.raw`\$\w+|\$\{[^}]*\}?|\$[@*#?$!-]`, role: "code" },
  { match: String.raw`\$\(\(?`, role: "keyword", push: "command" },
  { match: String.raw`(?<=^|\s)[A-Za-z_]\w*(?==)`, role: "type" },
  { match: String.raw`(?<=^|[\s=(])-{1,2}[\w-]+`, role: "type" },
  { match: String.raw`(?<=\s)\d+\b`, role: "number" },
  { match: String.raw`[A-Za-z_][\w.-]*`, word: true }
]

const SHELL_WORDS = [
  [
    "keyword",
    `
    if then else elif fi for while until do done case esac in function select time coproc return break continue exit
    local export readonly declare typeset unset shift trap set source eval exec
  `
  ],
  [
    "function",
    `
    alias awk basename bg cat cd chmod chown command cp curl cut date diff dirname docker echo env false fg find git
    grep head jobs kill ln ls make mkdir mktemp mv node npm npx pip printf ps pwd python read rm rmdir rsync sed seq
    sleep sort ssh sudo tail tar tee test touch tr true umask uname uniq wait wc which xargs yarn
  `
  ]
] as const

const bash = modal(
  "bash",
  {
    root: { rules: SHELL },
    command: {
      rules: [{ match: String.raw`\)\)?`, role: "keyword", pop: true }, { match: String.raw`\(`, push: "group" }, ...SHELL]
    },
    group: { rules: [{ match: String.raw`\)`, pop: true }, { match: String.raw`\(`, push: "group" }, ...SHELL] },
    double: {
      role: "string",
      rules: [
        { match: String.raw`\\.`, role: "string" },
        { match: String.raw`\$\w+`, role: "code" },
        ...EXPANSION,
        { match: `"`, role: "string", pop: true }
      ]
    },
    single: { role: "string", rules: [{ match: `'`, role: "string", pop: true }] }
  },
  new Map(SHELL_WORDS.flatMap(([role, words]) => words.split(" ").map((word) => [word, role] as const)))
)

const haskell = languageOf("haskell", {
  keywords: `
    as case class data default deriving do else family forall foreign hiding if import in infix infixl infixr instance
    let mdo module newtype of pattern qualified rec then type where
  `,
  constants: "True False",
  capitals: true,
  comments: ["--(?![!#$%&*+./<=>?@^|~])"],
  blocks: [{ open: String.raw`\{-`, close: String.raw`-\}`, nested: true }],
  strings: [{ open: `"`, close: `"` }],
  word: String.raw`[\p{L}_][\p{L}\p{N}_']*`,
  rules: [
    { match: String.raw`'(?:\\[^']+|[^\\'])'`, role: "string" },
    { match: "::|=>|->|<-", role: "keyword" }
  ]
})

const nix = languageOf("nix", {
  keywords: "assert else if in inherit let or rec then with",
  constants: "true false null",
  types: "builtins import",
  comments: ["#"],
  blocks: [{ open: String.raw`/\*`, close: String.raw`\*/` }],
  strings: [
    {
      open: `''`,
      close: `''(?!['$\\\\])`,
      lines: true,
      escape: String.raw`''['$\\]`,
      hole: { open: String.raw`\$\{`, close: "}" }
    },
    { open: `"`, close: `"`, lines: true, hole: { open: String.raw`\$\{`, close: "}" } }
  ],
  word: String.raw`[\p{L}_][\p{L}\p{N}_'-]*`,
  rules: [
    { match: String.raw`(?:\.{0,2}|~)(?:/[\w.+-]+)+`, role: "string" },
    { match: String.raw`[\w'-]+(?=\s*=(?!=))`, role: "function" }
  ]
})

export const SCRIPTS: ReadonlyArray<Language> = [python, ruby, lua, bash, haskell, nix]
