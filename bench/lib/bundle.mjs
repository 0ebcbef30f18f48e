import { readdirSync, symlinkSync } from "node:fs"
import { basename, join } from "node:path"
import { fileURLToPath } from "node:url"
import { build } from "rolldown"

/**
 * Bundles the programs of the benchmarks, which import the TypeScript of src and test, into the directory given. Run
 * as a process of its own: the bundler would make the measuring process large, and spawning from it slow.
 */
const programs = fileURLToPath(new URL("../programs/", import.meta.url))
const [outDir] = process.argv.slice(2)

await build({
  input: Object.fromEntries(readdirSync(programs).map((name) => [basename(name, ".mjs"), join(programs, name)])),
  platform: "node",
  // What has a binary or data files beside it stays outside and is found through the link below.
  external: ["tree-sitter", "tree-sitter-bash", "web-tree-sitter"],
  moduleTypes: { ".md": "text" },
  output: { dir: outDir, format: "esm", entryFileNames: "[name].mjs", chunkFileNames: "chunks/[name]-[hash].mjs" }
})
symlinkSync(fileURLToPath(new URL("../../node_modules", import.meta.url)), join(outDir, "node_modules"))
