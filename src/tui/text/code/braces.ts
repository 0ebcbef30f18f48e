/** Languages of the C family and others whose blocks stand in braces. */
import { type Language, languageOf, type StringForm } from "./grammar.ts"

const DOUBLE: StringForm = { open: `"`, close: `"` }
const CHARACTER: StringForm = { open: `'`, close: `'` }
const SLASHES = ["//"]
const BLOCK = [{ open: String.raw`/\*`, close: String.raw`\*/` }]
const NESTED = [{ open: String.raw`/\*`, close: String.raw`\*/`, nested: true as const }]

const C_WORDS = `
    auto break case const continue default do else enum extern for goto if inline register restrict return sizeof
    static struct switch typedef union volatile while
  `
const C_TYPES = `
    bool char double float int long short signed unsigned void size_t ssize_t int8_t int16_t int32_t int64_t uint8_t
    uint16_t uint32_t uint64_t FILE
  `
const DIRECTIVE = { match: String.raw`^\s*#\s*\w+`, role: "keyword" as const }

export const BRACES: ReadonlyArray<Language> = [
  languageOf("c", {
    keywords: C_WORDS,
    types: C_TYPES,
    constants: "NULL true false",
    comments: SLASHES,
    blocks: BLOCK,
    strings: [DOUBLE, CHARACTER],
    rules: [DIRECTIVE]
  }),
  languageOf("cpp", {
    keywords: `
      ${C_WORDS} alignas alignof catch class concept consteval constexpr constinit co_await co_return co_yield
      decltype delete explicit export final friend module mutable namespace new noexcept operator override private
      protected public requires static_assert static_cast dynamic_cast const_cast reinterpret_cast template this throw
      try typename using virtual import
    `,
    types: `${C_TYPES} wchar_t string vector map set unique_ptr shared_ptr optional`,
    constants: "nullptr NULL true false",
    comments: SLASHES,
    blocks: BLOCK,
    strings: [{ open: String.raw`R"\(`, close: String.raw`\)"`, lines: true, escape: "(?!)" }, DOUBLE, CHARACTER],
    rules: [DIRECTIVE],
    capitals: true
  }),
  languageOf("java", {
    keywords: `
      abstract assert break case catch class const continue default do else enum exports extends final finally for
      goto if implements import instanceof interface module native new non-sealed package permits private protected
      public record requires return sealed static strictfp super switch synchronized this throw throws transient try
      var void volatile when while yield
    `,
    types: "boolean byte char double float int long short",
    constants: "true false null",
    capitals: true,
    comments: SLASHES,
    blocks: BLOCK,
    strings: [{ open: `"""`, close: `"""`, lines: true }, DOUBLE, CHARACTER],
    rules: [{ match: String.raw`@[\w.]+`, role: "function" }]
  }),
  languageOf("kotlin", {
    keywords: `
      abstract actual annotation as break by catch class companion const constructor continue crossinline data
      delegate do dynamic else enum expect external final finally for fun get if import in infix init inline inner
      interface internal is lateinit noinline object open operator out override package private protected public
      reified return sealed set super suspend tailrec this throw try typealias val var vararg when where while
    `,
    constants: "true false null",
    capitals: true,
    comments: SLASHES,
    blocks: NESTED,
    strings: [
      { open: `"""`, close: `"""`, lines: true, escape: "(?!)", hole: { open: String.raw`\$\{`, close: "}" } },
      { open: `"`, close: `"`, hole: { open: String.raw`\$\{`, close: "}" } },
      CHARACTER
    ],
    rules: [{ match: String.raw`@\w+`, role: "function" }]
  }),
  languageOf("swift", {
    keywords: `
      actor any as associatedtype async await borrowing break case catch class consuming continue convenience default
      defer deinit didSet do dynamic else enum extension fallthrough fileprivate final for func get guard if import in
      indirect infix init inout internal is isolated lazy let macro mutating nonisolated nonmutating open operator
      optional override package postfix precedencegroup prefix private protocol public repeat required rethrows return
      self set some static struct subscript super switch throw throws try typealias unowned var weak where while
      willSet
    `,
    constants: "true false nil",
    capitals: true,
    comments: SLASHES,
    blocks: NESTED,
    strings: [
      {
        open: `"""`,
        close: `"""`,
        lines: true,
        hole: { open: String.raw`\\\(`, close: ")" },
        escape: String.raw`\\[^(]`
      },
      { open: `"`, close: `"`, hole: { open: String.raw`\\\(`, close: ")" }, escape: String.raw`\\[^(]` }
    ],
    rules: [{ match: String.raw`[@#]\w+`, role: "function" }]
  }),
  languageOf("csharp", {
    keywords: `
      abstract add alias and as async await base break by case catch checked class const continue default delegate do
      else enum equals event explicit extern file finally fixed for foreach from get global goto group if implicit in
      init interface internal into is join let lock managed nameof namespace new not on operator or orderby out
      override params partial private protected public readonly record ref remove required return scoped sealed select
      set sizeof stackalloc static struct switch this throw try typeof unchecked unsafe using value var virtual
      volatile when where while with yield
    `,
    types: `
      bool byte char decimal double dynamic float int long nint nuint object sbyte short string uint ulong ushort void
    `,
    constants: "true false null",
    capitals: true,
    comments: SLASHES,
    blocks: BLOCK,
    strings: [
      { open: `"""`, close: `"""`, lines: true, escape: "(?!)" },
      {
        open: String.raw`\$"`,
        close: `"`,
        hole: { open: String.raw`\{(?!\{)`, close: "}" },
        escape: String.raw`\\.|\{\{`
      },
      { open: String.raw`\$?@"`, close: `"(?!")`, lines: true, escape: `""` },
      DOUBLE,
      CHARACTER
    ],
    rules: [DIRECTIVE]
  }),
  languageOf("go", {
    keywords: `
      break case chan const continue default defer else fallthrough for func go goto if import interface map package
      range return select struct switch type var
    `,
    types: `
      any bool byte comparable complex64 complex128 error float32 float64 int int8 int16 int32 int64 rune string uint
      uint8 uint16 uint32 uint64 uintptr
    `,
    constants: "true false nil iota",
    comments: SLASHES,
    blocks: BLOCK,
    strings: [{ open: "`", close: "`", lines: true, escape: "(?!)" }, DOUBLE, CHARACTER]
  }),
  languageOf("rust", {
    keywords: `
      as async await break const continue crate dyn else enum extern fn for if impl in let loop macro match mod move
      mut pub ref return self static struct super trait type union unsafe use where while yield
    `,
    types: "bool char f32 f64 i8 i16 i32 i64 i128 isize str u8 u16 u32 u64 u128 usize Self",
    constants: "true false",
    capitals: true,
    comments: SLASHES,
    blocks: NESTED,
    strings: [
      { open: String.raw`b?r#"`, close: `"#`, lines: true, escape: "(?!)" },
      { open: `b?"`, close: `"`, lines: true }
    ],
    rules: [
      { match: String.raw`#!?\[[^\]]*\]`, role: "function" },
      { match: String.raw`\b[a-z_]\w*!(?=[\s({[])`, role: "function" },
      { match: String.raw`b?'(?:\\(?:x[\da-f]{2}|u\{[\da-fA-F]+\}|.)|[^\\'])'`, role: "string" },
      { match: String.raw`'[a-z_]\w*`, role: "type" }
    ]
  }),
  languageOf("zig", {
    keywords: `
      addrspace align allowzero and anyframe anytype asm async await break callconv catch comptime const continue
      defer else enum errdefer error export extern fn for if inline linksection noalias noinline nosuspend opaque or
      orelse packed pub resume return struct suspend switch test threadlocal try union unreachable usingnamespace var
      volatile while
    `,
    types: `
      anyerror bool c_int comptime_float comptime_int f16 f32 f64 f128 i8 i16 i32 i64 i128 isize noreturn type u8 u16
      u32 u64 u128 usize void
    `,
    constants: "true false null undefined",
    capitals: true,
    comments: SLASHES,
    strings: [DOUBLE, CHARACTER],
    rules: [
      { match: String.raw`\\\\.*`, role: "string" },
      { match: String.raw`@\w+`, role: "function" }
    ]
  }),
  languageOf("php", {
    keywords: `
      abstract and array as break callable case catch class clone const continue declare default do echo else elseif
      empty enddeclare endfor endforeach endif endswitch endwhile enum exit extends final finally fn for foreach
      function global goto if implements include include_once instanceof insteadof interface isset list match
      namespace new or print private protected public readonly require require_once return static switch throw trait
      try unset use var while xor yield
    `,
    types: `
      bool float int iterable mixed never object string void self parent
    `,
    constants: "true false null TRUE FALSE NULL",
    capitals: true,
    comments: ["//", "#(?!\\[)"],
    blocks: BLOCK,
    strings: [
      { open: `"`, close: `"`, lines: true },
      { open: `'`, close: `'`, lines: true }
    ],
    rules: [
      { match: String.raw`<\?(?:php|=)?|\?>`, role: "keyword" },
      { match: String.raw`\$\w+`, role: "code" }
    ]
  })
]
