/** File types for the built-in engine: the usual ones with ripgrep's names and globs; a test compares them. */
const TYPES: Readonly<Record<string, string>> = {
  c: "*.[chH] *.[chH].in *.cats",
  clojure: "*.clj *.cljc *.cljs *.cljx",
  cmake: "*.cmake CMakeLists.txt",
  cpp: "*.[ChH] *.[ChH].in *.[ch]pp *.[ch]pp.in *.[ch]xx *.[ch]xx.in *.cc *.cc.in *.hh *.hh.in *.inl",
  cs: "*.cs",
  css: "*.css *.scss",
  csv: "*.csv",
  dart: "*.dart",
  diff: "*.diff *.patch",
  docker: "*Dockerfile*",
  elixir: "*.eex *.ex *.exs *.heex *.leex *.livemd",
  elm: "*.elm",
  erlang: "*.erl *.hrl",
  fish: "*.fish",
  go: "*.go",
  gradle: "*.gradle *.gradle.kts gradle-wrapper.* gradle.properties gradlew gradlew.bat",
  graphql: "*.graphql *.graphqls",
  groovy: "*.gradle *.groovy",
  h: "*.h *.hh *.hpp",
  haskell: "*.c2hs *.cpphs *.hs *.hsc *.lhs",
  html: "*.ejs *.htm *.html",
  java: "*.java *.jsp *.jspx *.properties",
  js: "*.cjs *.js *.jsx *.mjs *.vue",
  json: "*.json *.sarif composer.lock",
  jsonl: "*.jsonl",
  julia: "*.jl",
  kotlin: "*.kt *.kts",
  less: "*.less",
  log: "*.log",
  lua: "*.lua",
  make:
    "*.mak *.mk Makefile.* [Gg][Nn][Uu]makefile [Gg][Nn][Uu]makefile.am [Gg][Nn][Uu]makefile.in [Mm]akefile " +
    "[Mm]akefile.am [Mm]akefile.in",
  markdown: "*.markdown *.md *.mdown *.mdwn *.mdx *.mkd *.mkdn",
  nix: "*.nix",
  objc: "*.h *.m",
  ocaml: "*.ml *.mli *.mll *.mly",
  perl: "*.PL *.perl *.pl *.plh *.plx *.pm *.t",
  php: "*.php *.php3 *.php4 *.php5 *.php7 *.php8 *.pht *.phtml",
  protobuf: "*.proto",
  ps: "*.cdxml *.ps1 *.ps1xml *.psd1 *.psm1",
  py: "*.py *.pyi",
  r: "*.R *.Rmd *.Rnw *.r *.rmd *.rnw",
  ruby: "*.gemspec *.rake *.rb *.rbw .irbrc Gemfile Rakefile config.ru",
  rust: "*.rs",
  sass: "*.sass *.scss",
  scala: "*.sbt *.scala",
  sh:
    "*.bash *.bashrc *.csh *.cshrc *.env *.ksh *.kshrc *.sh *.tcsh *.zsh .bash_login .bash_logout " +
    ".bash_profile .bashrc .cshrc .env .kshrc .login .logout .profile .tcshrc .zlogin .zlogout .zprofile " +
    ".zshenv .zshrc bash_login bash_logout bash_profile bashrc profile zlogin zlogout zprofile zshenv zshrc",
  sql: "*.psql *.sql",
  svelte: "*.svelte *.svelte.ts",
  svg: "*.svg",
  swift: "*.swift",
  tex: "*.bib *.cls *.dtx *.ins *.ltx *.sty *.tex",
  tf: "*.terraform.lock.hcl *.terraformrc *.tf *.tf.json *.tfrc *.tfvars *.tfvars.json terraform.rc",
  toml: "*.toml Cargo.lock",
  ts: "*.cts *.mts *.ts *.tsx",
  txt: "*.txt",
  vim: "*.vim .gvimrc .vimrc _gvimrc _vimrc gvimrc vimrc",
  vue: "*.vue",
  xml: "*.dtd *.rng *.sch *.xhtml *.xjb *.xml *.xml.dist *.xsd *.xsl *.xslt",
  yaml: "*.yaml *.yml",
  zig: "*.zig"
}

const ALIASES: Readonly<Record<string, string>> = { csharp: "cs", md: "markdown", python: "py", typescript: "ts" }

export const fileTypes: ReadonlyArray<string> = [...Object.keys(TYPES), ...Object.keys(ALIASES)].sort()

/** Globs of names of a type; undefined for a type that is not known here. */
export const typeGlobs = (type: string): ReadonlyArray<string> | undefined => {
  const name = Object.hasOwn(ALIASES, type) ? (ALIASES[type] ?? type) : type
  return Object.hasOwn(TYPES, name) ? TYPES[name]?.split(" ") : undefined
}
