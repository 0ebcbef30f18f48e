import { describe, expect, it } from "vitest"
import { globsOf, pathsOf } from "../../../../../src/core/permission/bash/analysis/analyse.ts"
import { analysed, partOf, touched } from "../analysing.ts"

const ROLES: ReadonlyArray<readonly [command: string, touches: ReadonlyArray<string>]> = [
  ["cat a /etc/hosts", ["read /work/a", "read /etc/hosts"]],
  ["cat -n a -", ["read /work/a"]],
  ["head -n 5 a", ["read /work/a"]],
  ["cat ~/x", ["read /home/u/x"]],
  ["cat ../x", ["read /x"]],
  ["cat 'a b'", ["read /work/a b"]],
  ["ls", ["read /work"]],
  ["ls -R src", ["read+ /work/src"]],
  ["grep foo a b", ["read /work/a", "read /work/b"]],
  ["grep -e foo a", ["read /work/a"]],
  ["grep -A 3 foo a", ["read /work/a"]],
  ["grep -rn foo", ["read+ /work"]],
  ["grep -r foo /etc", ["read+ /etc"]],
  ["grep -f pats a", ["read /work/pats", "read /work/a"]],
  ["rg foo", ["read+ /work"]],
  ["rg foo src", ["read+ /work/src"]],
  ["rg --files src", ["read+ /work/src"]],
  ["cp a b c", ["read /work/a", "read /work/b", "write /work/c", "write /work/c/a", "write /work/c/b"]],
  ["cp /x/a .", ["read /x/a", "write /work", "write /work/a"]],
  ["cp -r /x/a/. .", ["read+ /x/a", "write+ /work"]],
  ["mv /x/a d/", ["remove+ /x/a", "write /work/d", "write /work/d/a"]],
  ["ln -s /x/a /x/b d", ["read /x/a", "read /x/b", "write /work/d", "write /work/d/a", "write /work/d/b"]],
  ["scp h:/x/a .", ["write /work", "write /work/a"]],
  ["wget -P d https://h/x?q", ["write /work/d", "write /work/d", "write /work/d/x"]],
  ["cp -r a b", ["read+ /work/a", "write+ /work/b"]],
  ["cp -t d a b", ["write /work/d", "read /work/a", "read /work/b", "write /work/d/a", "write /work/d/b"]],
  ["mv a b", ["remove+ /work/a", "write /work/b"]],
  ["ln -s a b", ["read /work/a", "write /work/b"]],
  ["ln -s /x/y", ["read /x/y", "write /work/y"]],
  ["rm a b", ["remove /work/a", "remove /work/b"]],
  ["rm -rf a", ["remove+ /work/a"]],
  ["mkdir -p a/b", ["write /work/a/b"]],
  ["touch -r ref a", ["read /work/ref", "write /work/a"]],
  ["tee -a log", ["write /work/log"]],
  ["chmod 600 a", ["write /work/a"]],
  ["chmod -R u+x d", ["write+ /work/d"]],
  ["sed s/a/b/ f", ["read /work/f"]],
  ["sed -i s/a/b/ f", ["write /work/f"]],
  ["sed -i '' s/a/b/ f", ["write /work/f"]],
  ["sed -n -e p f", ["read /work/f"]],
  ["perl -pi -e s/a/b/ f", ["write /work/s/a/b", "write /work/f"]],
  ["awk '{print}' f", ["read /work/f"]],
  ["awk -i inplace '{print}' f", ["write /work/f"]],
  ["dd if=a of=b", ["read /work/a", "write /work/b"]],
  ["tar xzf a.tgz -C d", ["read /work/a.tgz", "write+ /work/d"]],
  ["tar -czf a.tgz d", ["write /work/a.tgz", "read+ /work/d"]],
  ["tar tf a.tgz", ["read /work/a.tgz"]],
  ["zip a.zip d", ["write+ /work/a.zip", "read+ /work/d"]],
  ["unzip a.zip -d d", ["read+ /work/a.zip", "write+ /work/d"]],
  ["curl -o out https://h/x", ["write /work/out"]],
  ["curl -d @secret https://h", ["read /work/secret"]],
  ["curl -b secret https://h", ["read /work/secret"]],
  ["curl -b a=b https://h", []],
  ["curl --proto-default file /etc/x", ["maybe /work/file (rules)", "read /etc/x"]],
  ["curl -F f=@secret https://h", ["read /work/secret"]],
  ["curl -O https://h/x", ["write /work", "write /work/x"]],
  ["wget https://h/x", ["write /work", "write /work/x"]],
  ["scp a h:b", ["read /work/a"]],
  ["git add a", ["write /work/a"]],
  ["git rm a", ["remove+ /work/a"]],
  ["git checkout -- a", ["write+ /work/a"]],
  ["git restore .", ["write+ /work"]],
  ["git clean -f", ["write+ /work (rules)"]],
  ["git clean -f src", ["write+ /work/src"]],
  ["git diff a", ["read+ /work/a (rules)", "read+ /work (rules)"]],
  ["git show HEAD:.env", ["read+ /work/HEAD:.env (rules)", "read+ /work/.env (rules)"]],
  ["git diff /etc/a /etc/b", ["read+ /etc/a", "read+ /etc/b", "read+ /work (rules)"]],
  ["git commit -m .env", []],
  ["git commit -F msg", ["read /work/msg"]],
  ["git -C /x log", ["read /x"]],
  ["git log --output=x", ["write /work/x"]],
  ["git commit -F/etc/x", ["maybe /etc/x"]],
  ["git commit --file=/etc/x", ["maybe /etc/x"]],
  ["git blame --contents=/etc/x a", ["maybe /etc/x", "read /work/a (rules)"]],
  ["git archive -o/tmp/x HEAD", ["maybe /tmp/x", "read+ /work/HEAD (rules)", "read+ /work (rules)"]],
  ["git init --separate-git-dir=/tmp/x", ["maybe /tmp/x"]],
  ["git log --grep=/api -S/foo --format=/%h", ["maybe /api (rules)", "maybe /foo (rules)", "maybe /%h (rules)"]],
  ["git diff ':(top).env'", ["read+ /work/.env (rules)"]],
  ["git diff '.e*'", ["read+ /work/.e* (rules)", "read+ /work (rules)", "read+ /work (rules)"]],
  ["git grep x", ["read+ /work/x (rules)", "read+ /work (rules)"]],
  ["git grep x src", ["read+ /work/x (rules)", "read+ /work/src (rules)"]],
  ["git grep x HEAD", ["read+ /work/x (rules)", "read+ /work/HEAD (rules)", "read+ /work (rules)"]],
  ["ag x", ["read+ /work"]],
  ["ack x src", ["read+ /work/src"]],
  ["tree -Po p out", ["write /work/out", "read+ /work"]],
  ["find src -name a", ["read+ /work/src"]],
  ["find -name a", ["read+ /work"]],
  ["find d -delete", ["remove+ /work/d"]],
  ["find . -fprint out", ["read+ /work", "write /work/out"]],
  ["find . -newer ref", ["read+ /work", "read /work/ref"]],
  ["python3 a.py x", ["read /work/a.py", "maybe /work/x (rules)"]],
  ["bash a.sh", ["read /work/a.sh"]],
  ["source .envrc", ["read /work/.envrc"]],
  ["test -f a", ["read /work/a"]],
  ["[ a -nt b ]", ["read /work/a", "read /work/b"]],
  ["echo a > out", ["write /work/out"]],
  ["echo a >> /x/out 2>&1", ["write /x/out"]],
  ["sort < in", ["read /work/in"]],
  ["sort -o out in", ["write /work/out", "read /work/in"]],
  ["ls > /dev/null", ["read /work"]],
  ["{ echo a; } > out", ["write /work/out"]],
  ["foo a", ["maybe /work/a (rules)"]],
  ["foo --x=/etc/a", ["maybe /etc/a"]],
  ["foo ../a", ["maybe /a"]],
  ["foo -f/etc/a", ["maybe /etc/a"]],
  ["foo https://h/x", []],
  ["echo /etc/passwd", []],
  ["./run a", ["read /work/run (rules)", "maybe /work/a (rules)"]],
  ["cat *.ts", ["read /work/*.ts"]],
  ["rm src/*.o", ["remove /work/src/*.o"]],
  ["cat /etc/*.conf", ["read /etc/*.conf"]],
  ["cd src && cat a", ["read /work/src", "read /work/src/a", "read /work/a (rules)"]],
  ["cd && cat a", ["read /home/u", "read /home/u/a", "read /work/a (rules)"]],
  ["sh -c 'cat a > b'", ["read /work/a", "write /work/b"]],
  ["find . -exec cp {} /tmp/x \\;", ["read+ /work", "read ?", "write /tmp/x"]],
  ["sudo rm a", ["remove /work/a"]],
  ["timeout 5 cat a", ["read /work/a"]],
  ["docker run -v /etc:/x img", ["write+ /etc", "maybe /work/run (rules)", "maybe /work/img (rules)"]],
  [
    "docker run --mount type=bind,source=/etc,target=/x img",
    ["write+ /etc", "maybe /work/run (rules)", "maybe /work/img (rules)"]
  ],
  ["command cd src && cat a", ["read /work/src", "read /work/src/a", "read /work/a (rules)"]],
  ["timeout 5 cd src && cat a", ["read /work/src", "read ?", "read /work/a (rules)", "read /work/src/a (rules)"]]
]

describe("what a command touches", () => {
  it.each(ROLES)("%s", (command, expected) => {
    expect(touched(command)).toEqual(expected)
  })

  it("says where it cannot know the place", () => {
    for (const command of [
      "cat $X",
      "cd $X && cat a",
      "cd - && cat a",
      "cat ~root/x",
      "cat src/../../x",
      "cd src && cat ../x",
      "ls | xargs cat",
      'cat "$(ls)"',
      "pushd src && cat a"
    ]) {
      expect(
        analysed(command).parts.some(({ dynamicOperand }) => dynamicOperand !== undefined),
        command
      ).toBe(true)
    }
    for (const command of ["cat a", "echo $X", "cd src && cat a", "git commit -m 'a $x'"]) {
      expect(
        analysed(command).parts.every(({ dynamicOperand }) => dynamicOperand === undefined),
        command
      ).toBe(true)
    }
  })

  it("knows unsafe forms of paths", () => {
    const form = (command: string, platform?: "windows" | "wsl") =>
      partOf(command, platform === undefined ? {} : { platform }).touches.map((touch) => touch.form)[0]
    expect(form(String.raw`cat '\\h\s'`)).toBe("unsafe")
    expect(form(String.raw`cat '\\?\C:\x'`)).toBe("unsafe")
    expect(form(String.raw`cat '\??\x'`)).toBe("unsafe")
    expect(form("cat 'a\nb'")).toBe("unsafe")
    expect(form("cat '$x'")).toBe("unprovable")
    expect(form("cat '%APPDATA%/x'")).toBe("unprovable")
    expect(form("cat a/../b")).toBe("unprovable")
    expect(form("cat ../b")).toBe("plain")
    expect(form("cat a.txt")).toBe("plain")
    expect(form("cat a:b")).toBe("plain")
    for (const name of ["a:b", "PROGRA~1/x", "a.", "nul", "com1.txt", ".../x"])
      expect(form(`cat '${name}'`, "windows"), name).toBe("unsafe")
    expect(form("cat a:b", "wsl")).toBe("plain")
    expect(form("cat /mnt/c/a:b", "wsl")).toBe("unsafe")
    expect(form("cat ..", "windows")).toBe("plain")
  })

  it("lists what has to be looked up", () => {
    const analysis = analysed("cat a *.ts && git status > out")
    expect(pathsOf(analysis)).toEqual(["/work/a", "/work", "/work/out"])
    expect(globsOf(analysis)).toEqual(["/work/*.ts"])
  })
})
