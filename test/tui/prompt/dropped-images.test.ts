import { describe, expect, it } from "vitest"
import { droppedImages } from "../../../src/tui/prompt/dropped-images.ts"

describe("files dropped on the prompt", () => {
  it.each([
    ["/a/b.png", ["/a/b.png"]],
    [" '/a/two words.JPG' ", ["/a/two words.JPG"]],
    ['"/a/x.webp"', ["/a/x.webp"]],
    ["/a/two\\ words.gif /b.jpeg", ["/a/two words.gif", "/b.jpeg"]],
    ["file:///a/two%20words.png", ["/a/two words.png"]],
    ["~/x.png", ["~/x.png"]]
  ])("%s is %j", (text, paths) => {
    expect(droppedImages(text)).toEqual(paths)
  })

  it.each([
    "",
    "x.png",
    "look at /a/b.png",
    "/a/b.txt",
    "/a/b.png\n/c",
    "/a/b.png it's",
    "file:///%zz.png",
    "/a.png /b.txt"
  ])("%j is text", (text) => {
    expect(droppedImages(text)).toBeUndefined()
  })
})
