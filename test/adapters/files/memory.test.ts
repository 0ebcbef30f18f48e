import { MemoryFiles } from "../../support/memory-files.ts"
import { filesContract } from "../files-contract.ts"

filesContract("memory files", () => {
  const memory = new MemoryFiles()
  return {
    root: "/world",
    files: memory.service,
    put: (path, content, mode) => memory.put(path, content, mode),
    link: (path, target) => memory.link(path, target),
    pipe: (path) => memory.special(path, "pipe"),
    content: (path) => memory.content(path),
    mode: (path) => memory.mode(path)
  }
})
