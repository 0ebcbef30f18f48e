/** Languages of browsers and of data that programs exchange. */
import { type Language, languageOf, modal } from "./grammar.ts"

const JS_WORDS = `
    abstract accessor as asserts async await break case catch class const continue debugger declare default delete do
    else enum export extends finally for from function get if implements import in infer instanceof interface is keyof
    let module namespace new of out override package private protected public readonly return satisfies set static
    super switch this throw try type typeof unique using var void while with yield
  `

const javascript = (name: string): Language =>
  languageOf(name, {
    keywords: JS_WORDS,
    types: "any bigint boolean never number object string symbol unknown",
    constants: "true false null undefined NaN Infinity",
    capitals: true,
    comments: ["//"],
    blocks: [{ open: String.raw`/\*`, close: String.raw`\*/` }],
    strings: [
      { open: `"`, close: `"` },
      { open: `'`, close: `'` },
      { open: "`", close: "`", lines: true, hole: { open: String.raw`\$\{`, close: "}" } }
    ],
    rules: [
      { match: String.raw`^#!.*`, role: "comment" },
      {
        match: String.raw`(?<=(?:^|[=(,:;!&|?{}[+>]|\breturn)\s*)/(?![*/])(?:\\.|\[(?:\\.|[^\]\\])*\]|[^/\\[])+/[a-z]*`,
        role: "string"
      },
      { match: String.raw`(?<=</?)[a-z][\w.-]*(?=[\s/>])`, role: "keyword" },
      { match: String.raw`@[\w.]+`, role: "function" }
    ]
  })

const MARKUP_COMMENT = { match: "<!--", role: "comment", push: "comment" } as const

const markup = (name: string): Language =>
  modal(name, {
    root: {
      rules: [
        MARKUP_COMMENT,
        { match: String.raw`<!\[CDATA\[`, role: "keyword", push: "data" },
        { match: String.raw`<[!?][\w-]+`, role: "keyword", push: "tag" },
        { match: String.raw`</?[\w:.-]+`, role: "keyword", push: "tag" },
        { match: String.raw`&#?\w+;`, role: "number" }
      ]
    },
    comment: { role: "comment", rules: [{ match: "-->", role: "comment", pop: true }] },
    data: { role: "string", rules: [{ match: "\\]\\]>", role: "keyword", pop: true }] },
    tag: {
      rules: [
        { match: String.raw`[/?]?>`, role: "keyword", pop: true },
        { match: `"`, role: "string", push: "double" },
        { match: `'`, role: "string", push: "single" },
        { match: String.raw`[\w:@.-]+(?=\s*=)`, role: "function" }
      ]
    },
    double: { role: "string", rules: [{ match: `"`, role: "string", pop: true }] },
    single: { role: "string", rules: [{ match: `'`, role: "string", pop: true }] }
  })

const CSS_VALUE = [
  { match: String.raw`#[\da-fA-F]{3,8}\b`, role: "number" },
  { match: String.raw`[+-]?(?:\d*\.)?\d+(?:%|[a-z]+)?`, role: "number" },
  { match: String.raw`"(?:\\.|[^"\\])*"?|'(?:\\.|[^'\\])*'?`, role: "string" },
  { match: String.raw`![a-z]+`, role: "keyword" },
  { match: String.raw`--[\w-]+`, role: "type" },
  { match: String.raw`[\w-]+(?=\()`, role: "function" }
] as const

const CSS_COMMENT = { match: String.raw`/\*`, role: "comment", push: "comment" } as const

const css = modal("css", {
  root: {
    rules: [
      CSS_COMMENT,
      { match: "//.*", role: "comment" },
      { match: String.raw`@[\w-]+`, role: "keyword" },
      { match: String.raw`[\w-]+\s*:(?=[^:{]*[;}]|[^:{]*$)`, role: "function", push: "value" },
      { match: String.raw`[.#&][\w-]+`, role: "type" },
      { match: String.raw`::?[\w-]+`, role: "keyword" },
      { match: String.raw`\b[a-z][\w-]*`, role: "keyword" }
    ]
  },
  value: { rules: [CSS_COMMENT, ...CSS_VALUE, { match: "(?=[;}])", pop: true }] },
  comment: { role: "comment", rules: [{ match: String.raw`\*/`, role: "comment", pop: true }] }
})

const json = modal("json", {
  root: {
    rules: [
      { match: "//.*", role: "comment" },
      { match: String.raw`/\*`, role: "comment", push: "comment" },
      { match: String.raw`"(?:\\.|[^"\\])*"(?=\s*:)`, role: "function" },
      { match: String.raw`"(?:\\.|[^"\\])*(?:"|$)`, role: "string" },
      { match: String.raw`-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?`, role: "number" },
      { match: String.raw`\b(?:true|false|null)\b`, role: "keyword" }
    ]
  },
  comment: { role: "comment", rules: [{ match: String.raw`\*/`, role: "comment", pop: true }] }
})

export const WEB: ReadonlyArray<Language> = [
  javascript("typescript"),
  javascript("javascript"),
  javascript("tsx"),
  json,
  css,
  markup("html"),
  markup("xml")
]
