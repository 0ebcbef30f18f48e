/** Configuration, queries and other texts that are read line by line. */
import { type Language, languageOf, modal } from "./grammar.ts"

const sql = languageOf("sql", {
  keywords: `
    add all alter analyze and any as asc begin between by cascade case cast check collate column commit constraint
    create cross current_date current_timestamp database default delete desc distinct drop else end except exists
    explain false fetch filter first following for foreign from full function grant group having if ilike in index
    inner insert intersect interval into is join key last lateral left like limit materialized natural not null nulls
    of offset on or order outer over partition preceding primary procedure range recursive references rename replace
    returning revoke right rollback row rows schema select set table temporary then to transaction trigger true
    truncate union unique update using values view when where window with
  `,
  types: `
    bigint binary blob bool boolean bytea char character date datetime decimal double float int integer json jsonb
    numeric real serial smallint text time timestamp timestamptz tinyint uuid varchar varying
  `,
  comments: ["--", "#"],
  blocks: [{ open: String.raw`/\*`, close: String.raw`\*/` }],
  strings: [
    { open: `'`, close: `'(?!')`, lines: true, escape: `''` },
    { open: `"`, close: `"` },
    { open: "`", close: "`" }
  ],
  ignoreCase: true
})

const SCALAR = [
  { match: String.raw`(?<=^|\s)#.*`, role: "comment" },
  { match: String.raw`"(?:\\.|[^"\\])*(?:"|$)|'(?:''|[^'])*(?:'|$)`, role: "string" },
  { match: String.raw`\b(?:true|false|null|yes|no|on|off)\b|~(?=\s|$)`, role: "keyword" },
  { match: String.raw`(?<![\w.-])[+-]?\d[\d_]*(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w.-])`, role: "number" }
] as const

const yaml = modal("yaml", {
  root: {
    rules: [
      { match: String.raw`^(?:---|\.\.\.)(?=\s|$)`, role: "keyword" },
      { match: String.raw`^%.*`, role: "keyword" },
      {
        match: String.raw`(?<=^\s*(?:- +)*|[{,]\s*)(?:"[^"]*"|'[^']*'|[^\s#&*!|>'"%@{}[\],-][^#{}[\],:]*?|-[^\s:]+)(?=\s*:(?:\s|$))`,
        role: "function"
      },
      { match: String.raw`(?<=^\s*)- |[|>][+-]?\d*(?=\s*$)`, role: "keyword" },
      { match: String.raw`[&*!][\w!./-]+`, role: "type" },
      ...SCALAR
    ]
  }
})

const toml = modal("toml", {
  root: {
    rules: [
      { match: String.raw`^\s*\[\[?[^\]]*\]\]?`, role: "heading" },
      { match: `"""`, role: "string", push: "basic" },
      { match: `'''`, role: "string", push: "literal" },
      { match: String.raw`(?<=^\s*|[{,]\s*)(?:"[^"]*"|'[^']*'|[\w.-]+)(?=\s*=)`, role: "function" },
      { match: String.raw`\d{4}-\d\d-\d\d[T\d:.Z+-]*`, role: "number" },
      ...SCALAR
    ]
  },
  basic: {
    role: "string",
    rules: [
      { match: String.raw`\\.`, role: "string" },
      { match: `"""`, role: "string", pop: true }
    ]
  },
  literal: { role: "string", rules: [{ match: `'''`, role: "string", pop: true }] }
})

const diff = modal("diff", {
  root: {
    rules: [
      {
        match: String.raw`^(?:diff|index|---|\+\+\+|rename|similarity|new file|deleted file|old mode|new mode|Binary files).*`,
        role: "heading"
      },
      { match: "^@@.*", role: "keyword" },
      { match: String.raw`^\+.*`, role: "success" },
      { match: "^-.*", role: "error" },
      { match: String.raw`^\\.*`, role: "comment" }
    ]
  }
})

const markdown = modal("markdown", {
  root: {
    rules: [
      { match: "^ {0,3}#{1,6}(?: .*|$)", role: "heading" },
      { match: "^ {0,3}```.*", role: "string", push: "code" },
      { match: "^ {0,3}~~~.*", role: "string", push: "tildes" },
      { match: "^ {0,3}>", role: "quote" },
      { match: String.raw`^\s*(?:[-*+]|\d+[.)])(?= )`, role: "keyword" },
      { match: "`+[^`]+`+", role: "string" },
      { match: String.raw`\*\*(?=\S)[^*]+\*\*|__(?=\S)[^_]+__`, role: "type" },
      { match: String.raw`!?\[[^\]]*\]\([^)]*\)|<https?:[^>]*>|https?://[^\s)]+`, role: "link" },
      { match: "<!--.*?(?:-->|$)", role: "comment" }
    ]
  },
  code: { role: "string", rules: [{ match: "^ {0,3}```+\\s*$", role: "string", pop: true }] },
  tildes: { role: "string", rules: [{ match: "^ {0,3}~~~+\\s*$", role: "string", pop: true }] }
})

const dockerfile = modal("dockerfile", {
  root: {
    rules: [
      { match: String.raw`^\s*#.*`, role: "comment" },
      {
        match: String.raw`^\s*(?:ADD|ARG|CMD|COPY|ENTRYPOINT|ENV|EXPOSE|FROM|HEALTHCHECK|LABEL|MAINTAINER|ONBUILD|RUN|SHELL|STOPSIGNAL|USER|VOLUME|WORKDIR)\b`,
        role: "keyword"
      },
      { match: String.raw`\bAS\b`, role: "keyword" },
      { match: String.raw`"(?:\\.|[^"\\])*(?:"|$)|'[^']*(?:'|$)`, role: "string" },
      { match: String.raw`\$\{[^}]*\}?|\$\w+`, role: "code" },
      { match: String.raw`(?<=\s)--[\w-]+`, role: "type" },
      { match: String.raw`(?<=\s)\d+\b`, role: "number" }
    ]
  }
})

const make = modal("make", {
  root: {
    rules: [
      { match: "#.*", role: "comment" },
      {
        match: String.raw`^\s*-?(?:include|define|endef|ifeq|ifneq|ifdef|ifndef|else|endif|export|unexport|override|vpath)\b`,
        role: "keyword"
      },
      { match: String.raw`^\.[A-Z_]+(?=\s*:)`, role: "keyword" },
      { match: String.raw`^[^\s:=#][^:=#]*(?=::?(?!=))`, role: "function" },
      { match: String.raw`^\s*[\w.-]+(?=\s*(?:[:?+!]?=|::=))`, role: "type" },
      { match: String.raw`\$\$?[({][^)}]*[)}]?|\$[@%<?^+*|$]`, role: "code" },
      { match: String.raw`"(?:\\.|[^"\\])*(?:"|$)|'[^']*(?:'|$)`, role: "string" }
    ]
  }
})

export const PLAIN: ReadonlyArray<Language> = [sql, yaml, toml, diff, markdown, dockerfile, make]
