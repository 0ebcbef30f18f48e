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

const shared = {
  platform: "node" as const,
  plugins: [octals],
  // What has a binary or data files beside it stays outside the bundle.
  external: ["@napi-rs/image", "tree-sitter", "tree-sitter-bash", "web-tree-sitter"],
  transform: { define: { __NACRE_VERSION__: JSON.stringify(version) } },
  moduleTypes: { ".md": "text" as const },
  // The PDF library looks for a full copy of its engine beside itself; ours is the one inside it.
  checks: { emptyImportMeta: false }
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
