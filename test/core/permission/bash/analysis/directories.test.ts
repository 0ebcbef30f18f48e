import { describe, expect, it } from "vitest"
import { analysed } from "../analysing.ts"

/** Where `cat a` reads in the text; `?` when nobody knows. */
const readsAt = (command: string, searchPath = false): string => {
  const part = analysed(command, { searchPath }).parts.find(({ program }) => program === "cat")
  return part?.touches.find(({ rulesOnly }) => !rulesOnly)?.path ?? "?"
}

describe("following cd", () => {
  it.each([
    ["cat a", "/work/a"],
    ["cd src && cat a", "/work/src/a"],
    ["cd src; cat a", "/work/src/a"],
    ["cd src\ncat a", "/work/src/a"],
    ["cd -- src && cat a", "/work/src/a"],
    ["cd /srv && cat a", "/srv/a"],
    ["cd && cat a", "/home/u/a"],
    ["cd ~/x && cat a", "/home/u/x/a"],
    ["cd x && cd y && cat a", "/work/x/y/a"],
    ["{ cd src; }; cat a", "/work/src/a"],
    ["! cd src; cat a", "/work/src/a"],
    ['cd src && echo "$(cat a)"', "/work/src/a"],
    ["(cd src) && cat a", "/work/a"],
    ["(cd src && cat a)", "/work/src/a"],
    ["cat a && cd src", "/work/a"],
    ["cd src | cat a", "?"],
    ["cd src | ls; cat a", "?"],
    ["ls | cd src; cat a", "?"],
    ["cd src || cat a", "?"],
    ["cd src & cat a", "?"],
    ["if cd src; then cat a; fi", "?"],
    ["if true; then cd src; fi; cat a", "?"],
    ["cd - && cat a", "?"],
    ["cd $X && cat a", "?"],
    ["cd s* && cat a", "?"],
    ["cd x y && cat a", "?"],
    ["cd -P src && cat a", "?"],
    ["cd ~root && cat a", "?"],
    ["pushd src && cat a", "?"],
    ["cd src && popd && cat a", "?"],
    ["f() { cd src; }; f; cat a", "?"],
    ["for i in 1; do cd src; done; cat a", "?"],
    ["CDPATH=/x; cd src && cat a", "?"],
    ["nice cd src; cat a", "?"],
    ["cd - && cd /srv && cat a", "/srv/a"]
  ])("%s", (command, expected) => {
    expect(readsAt(command), command).toBe(expected)
  })

  it("does not follow a search path", () => {
    expect(readsAt("cd src && cat a", true)).toBe("?")
    expect(readsAt("cd ./src && cat a", true)).toBe("/work/src/a")
    expect(readsAt("cd /srv && cat a", true)).toBe("/srv/a")
  })

  it("rules see every place that it could be", () => {
    const places = (command: string) =>
      analysed(command).parts.flatMap(({ touches }) => touches.map(({ path }) => path ?? "?"))
    for (const command of ["cd src; cat .env", "cd src || cat .env", "pushd src; cat .env", "cd src | cat .env"]) {
      expect(places(command), command).toContain("/work/.env")
    }
    expect(places("cd src || cat .env")).toContain("/work/src/.env")
  })
})
