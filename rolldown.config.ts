import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { defineConfig } from "rolldown"

const { version } = JSON.parse(readFileSync(new URL("./package.json", import.meta.url), "utf8")) as { version: string }

/** Blessed writes some characters and numbers in octal, which modules do not allow. */
const octals = {
  name: "octals",
  transform: {
    filter: { id: /blessed\/lib\// },
    handler: (code: string) =>
      code
        .replace(/\\([0-3][0-7]{2})/g, (_, digits: string) => `\\x${parseInt(digits, 8).toString(16).padStart(2, "0")}`)
        .replace(/(?<=(?:===|\|\|) )0(?=[0-7]{3}\b)/g, "0o")
  }
}

const ACCESSOR =
  /Object\.defineProperty\(exports, "(\w+)", \{\s*enumerable: true,\s*get: function \(\) \{\s*return ([\w$]+);\s*\}\s*\}\);/g

/** Whether a name of the chunk's top level keeps the value it was declared with. */
const isSettled = (code: string, name: string): boolean => {
  const escaped = name.replaceAll("$", String.raw`\$`)
  if (new RegExp(String.raw`^(?:const|(?:async )?function\*?|class) ${escaped}(?![\w$])`, "m").test(code)) return true
  const assignments =
    code.match(new RegExp(String.raw`(?<![\w$.])${escaped}\s*(?:[-+*/%&|^?]*=(?![=>])|\+\+|--)`, "g")) ?? []
  return assignments.length === 1 && new RegExp(String.raw`^var ${escaped} = class`, "m").test(code)
}

/** Chunks ask each other through accessors, a call each; what never changes is handed over as it is. */
const plainExports = {
  name: "plain-exports",
  renderChunk: (code: string) =>
    code.replace(ACCESSOR, (accessor, exported: string, local: string) =>
      isSettled(code, local) ? `exports.${exported} = ${local};` : accessor
    )
}

const shared = {
  platform: "node" as const,
  plugins: [octals, plainExports],
  // What has a binary or data files beside it stays outside the bundle.
  external: ["@napi-rs/image", "tree-sitter", "tree-sitter-bash"],
  transform: { define: { __NACRE_VERSION__: JSON.stringify(version) } },
  moduleTypes: { ".md": "text" as const },
  // The PDF library looks for a full copy of its engine beside itself; ours is the one inside it.
  // The parser of shell commands asks for `eval` where its modules hold code for it; ours hold none.
  checks: { emptyImportMeta: false, eval: false }
}

mkdirSync("dist", { recursive: true })
writeFileSync("dist/package.json", '{ "type": "commonjs" }\n')

/**
 * A tiny entry that answers the fast paths, and the program in chunks that load when used. Scripts instead of modules,
 * because only scripts can be loaded with machine code made at build time (src/load-program.ts).
 */
export default defineConfig([
  {
    ...shared,
    input: { nacre: "src/main.ts" },
    output: { dir: "dist", format: "cjs", minify: true, entryFileNames: "[name].js", banner: "#!/usr/bin/env node" }
  },
  {
    ...shared,
    input: { run: "src/shell/run.ts" },
    output: {
      dir: "dist/program",
      format: "cjs",
      minify: true,
      cleanDir: true,
      dynamicImportInCjs: false,
      entryFileNames: "program-[hash].js",
      chunkFileNames: "[name]-[hash].js"
    }
  }
])
