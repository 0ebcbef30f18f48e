import { readFileSync } from "node:fs"
import { defineConfig } from "rolldown"

const { version } = JSON.parse(readFileSync(new URL("./package.json", import.meta.url), "utf8")) as { version: string }

/** One tiny entry that answers the fast paths, everything else in chunks that load when used. */
export default defineConfig({
  input: { nacre: "src/main.ts" },
  platform: "node",
  // Packages with binaries beside them stay outside the bundle.
  external: ["@vscode/ripgrep", "@napi-rs/image"],
  transform: { define: { __NACRE_VERSION__: JSON.stringify(version) } },
  moduleTypes: { ".md": "text" },
  output: {
    dir: "dist",
    format: "esm",
    minify: true,
    cleanDir: true,
    entryFileNames: "[name].js",
    chunkFileNames: "chunks/[name]-[hash].js",
    banner: (chunk) => (chunk.isEntry ? "#!/usr/bin/env node" : "")
  }
})
