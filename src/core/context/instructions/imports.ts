import { isAbsolute, normalise, parentOf } from "../../domain/path/path-text.ts"
import type { MarkdownLine } from "../../domain/text/markdown-lines.ts"
import { codeSpans } from "../mentions/code-spans.ts"

/** Other files that an instruction file names with `@`. */
const IMPORT = /(?<=^|\s)@((?:\\ |\S)+)/gm
const PUNCTUATION = new Set(".,;:!?)]}>'\"*_")

const withoutPunctuation = (word: string): string => {
  let end = word.length
  while (end > 0 && PUNCTUATION.has(word.charAt(end - 1))) end -= 1
  return word.slice(0, end)
}

/** Blanks in place of code, and of comments inside of lines. */
const plainText = (text: string): string => {
  const parts: Array<string> = []
  let from = 0
  for (const { start, end } of codeSpans(text)) {
    parts.push(text.slice(from, start), "`")
    from = end
  }
  const prose = [...parts, text.slice(from)].join("")
  const kept: Array<string> = []
  let at = 0
  for (let open = prose.indexOf("<!--"); open >= 0; open = prose.indexOf("<!--", at)) {
    const close = prose.indexOf("-->", open + 4)
    if (close < 0) break
    kept.push(prose.slice(at, open), " ")
    at = close + 3
  }
  return [...kept, prose.slice(at)].join("")
}

const pathIn = (written: string): string => withoutPunctuation(written).replace(/#.*$/, "").replaceAll("\\ ", " ")

/** A path and not an address, a package or another use of the sign. */
const PATH = /^(?:~\/|\.{1,2}\/|\/|[\p{L}\p{N}._-])/u

/** Each once, as they are written, in order. In code and comments the sign means something else. */
export const importsIn = (lines: ReadonlyArray<MarkdownLine>): ReadonlyArray<string> => {
  if (!lines.some(({ text }) => text.includes("@"))) return []
  const words = lines.map(({ text, kind }) => (kind === "words" ? text : "")).join("\n")
  const paths = Array.from(plainText(words).matchAll(IMPORT), ([, written = ""]) => pathIn(written))
  return [...new Set(paths.filter((path) => PATH.test(path) && path !== "." && path !== ".." && !path.includes("\0")))]
}

/** Where an import leads that stands in the file `from`. */
export const importTarget = (path: string, from: string, home: string): string => {
  if (path.startsWith("~/")) return normalise(`${home}/${path.slice(2)}`)
  return normalise(isAbsolute(path) ? path : `${parentOf(from)}/${path}`)
}

/** It may be a mention of somebody or of a package: nothing that is missed when it leads nowhere. */
export const looksLikeMention = (path: string): boolean => !path.includes("/") && !path.includes(".")

const TEXT_EXTENSIONS: ReadonlySet<string> = new Set(
  (
    "md mdx mdc markdown txt text rst adoc asciidoc org tex log csv tsv json jsonc json5 jsonl yaml yml toml ini cfg conf " +
    "config properties env xml html htm xhtml svg css scss sass less js mjs cjs jsx ts mts cts tsx vue svelte astro py pyi " +
    "rb php pl pm lua r jl go rs c h cc cpp cxx hh hpp hxx m mm cs fs fsx vb java kt kts scala groovy gradle swift dart " +
    "ex exs erl hrl clj cljs edn hs lhs ml mli elm nim zig v sol sh bash zsh fish ps1 bat cmd sql graphql gql proto " +
    "prisma tf tfvars hcl nix cmake make mk dockerfile diff patch lock gitignore editorconfig j2 ejs hbs liquid"
  ).split(" ")
)

/** By its name: an extension of text, or none at all. */
export const isTextName = (path: string): boolean => {
  const name = path.slice(path.lastIndexOf("/") + 1)
  const dot = name.lastIndexOf(".")
  return dot < 0 || TEXT_EXTENSIONS.has(name.slice(dot + 1).toLowerCase())
}
