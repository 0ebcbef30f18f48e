/** What languages are called in fences, and by which file names and first lines they are known. */
import type { Language } from "./grammar.ts"
import { BRACES } from "./braces.ts"
import { PLAIN } from "./plain.ts"
import { SCRIPTS } from "./scripts.ts"
import { WEB } from "./web.ts"

const BY_NAME: ReadonlyMap<string, Language> = new Map(
  [...BRACES, ...WEB, ...SCRIPTS, ...PLAIN].map((language) => [language.name, language])
)

/** Aliases in fences and endings of files: both are asked the same way. */
const ALIASES: Readonly<Record<string, string>> = {
  typescript: "ts mts cts",
  javascript: "js mjs cjs jsx node",
  tsx: "",
  json: "jsonc json5 jsonl ndjson ipynb webmanifest",
  bash: "sh shell zsh ksh shellscript console terminal bashrc zshrc profile env",
  python: "py python3 py3 pyi pyw",
  rust: "rs",
  go: "golang",
  c: "h",
  cpp: "c++ cc cxx hpp hh hxx ino cuda cu",
  java: "",
  kotlin: "kt kts",
  swift: "",
  csharp: "cs c# csx",
  ruby: "rb rake gemspec erb",
  php: "phtml php8",
  html: "htm xhtml vue svelte",
  css: "scss less sass",
  sql: "psql mysql sqlite postgresql ddl",
  yaml: "yml",
  toml: "lock-toml",
  xml: "svg xsd xsl xslt plist csproj fsproj rss",
  markdown: "md mdx mkd",
  diff: "patch udiff",
  dockerfile: "docker containerfile",
  make: "makefile mk mak gnumakefile",
  lua: "luau",
  zig: "zon",
  haskell: "hs lhs",
  nix: ""
}

const FILES: Readonly<Record<string, string>> = {
  dockerfile: "dockerfile",
  containerfile: "dockerfile",
  makefile: "make",
  gnumakefile: "make",
  gemfile: "ruby",
  rakefile: "ruby",
  vagrantfile: "ruby",
  "cargo.lock": "toml",
  "poetry.lock": "toml",
  ".bashrc": "bash",
  ".zshrc": "bash",
  ".profile": "bash",
  ".bash_profile": "bash",
  ".env": "bash",
  ".babelrc": "json",
  ".prettierrc": "json",
  "flake.lock": "json"
}

const INTERPRETERS: Readonly<Record<string, string>> = {
  sh: "bash",
  bash: "bash",
  zsh: "bash",
  dash: "bash",
  ksh: "bash",
  node: "javascript",
  deno: "typescript",
  bun: "typescript",
  tsx: "typescript",
  python: "python",
  python2: "python",
  python3: "python",
  ruby: "ruby",
  php: "php",
  lua: "lua",
  runghc: "haskell",
  make: "make"
}

const BY_ALIAS: ReadonlyMap<string, string> = new Map(
  Object.entries(ALIASES).flatMap(([name, aliases]) =>
    [name, ...aliases.split(" ")].filter((alias) => alias !== "").map((alias) => [alias, name] as const)
  )
)

const find = (name: string | undefined): Language | undefined => (name === undefined ? undefined : BY_NAME.get(name))

/** The first word of a fence's info: `ts`, `Rust,no_run`, `{.python}`. */
export const languageNamed = (info: string): Language | undefined => {
  const word = /[\w#+.-]+/.exec(info)?.[0].replace(/^\./, "").toLowerCase()
  return word === undefined ? undefined : find(BY_ALIAS.get(word))
}

const INTERPRETER = /^#!\s*(?:\S*\/)?(?:env\s+(?:-\S+\s+)*)?(?:\S*\/)?([\w.+-]+)/

/** The language of a file by its name, else by its first line. */
export const languageOfFile = (path: string, firstLine = ""): Language | undefined => {
  const name = (path.split(/[/\\]/).at(-1) ?? "").toLowerCase()
  const ending = name.includes(".") ? name.slice(name.lastIndexOf(".") + 1) : undefined
  const byName = find(FILES[name]) ?? (name.startsWith("dockerfile.") ? find("dockerfile") : undefined)
  const byEnding = ending === undefined ? undefined : find(BY_ALIAS.get(ending))
  const interpreter = INTERPRETER.exec(firstLine)?.[1]?.replace(/[\d.]+$/, "")
  return byName ?? byEnding ?? (interpreter === undefined ? undefined : find(INTERPRETERS[interpreter]))
}
