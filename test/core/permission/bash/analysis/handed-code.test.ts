import { describe, expect, it } from "vitest"
import { decideIn, shell } from "../../fixture.ts"
import { ruleHits, touched } from "../analysing.ts"

/** Ways to hand a shell the command `rm -r a`, each of which a rule about `rm` has to see. */
const HANDED: ReadonlyArray<string> = [
  "ssh h <<'E'\nrm -r a\nE",
  "ssh h bash -s <<< 'rm -r a'",
  "ssh -p 22 u@h <<E\nrm -r a\nE",
  "su - u <<'E'\nrm -r a\nE",
  "su <<< 'rm -r a'",
  "su - u -c 'rm -r a'",
  "sudo -s <<< 'rm -r a'",
  "sudo -u x bash <<'E'\nrm -r a\nE",
  "docker exec -i c sh <<'E'\nrm -r a\nE",
  "kubectl exec -i p -- bash <<'E'\nrm -r a\nE",
  "wrapit bash <<'E'\nrm -r a\nE",
  "chroot /x <<< 'rm -r a'",
  "unshare -r <<< 'rm -r a'",
  "find . -exec bash -s <<< 'rm -r a' \\;",
  "echo 'rm -r a' | ssh h",
  "echo 'rm -r a' | docker exec -i c sh",
  "printf 'rm -r a' | sudo -s",
  "mksh -c 'rm -r a'",
  "rbash -c 'rm -r a'",
  "ksh93 -c $'\\x72m -r a'",
  "echo `echo \\`rm -r a\\``",
  'echo "`echo \\`rm -r a\\``"',
  "echo `echo \\`echo \\\\\\`rm -r a\\\\\\`\\``",
  "x=`echo \\`rm -r a\\``",
  "echo `echo \\$(rm -r a)`",
  "cat <<E\n`echo \\`rm -r a\\``\nE",
  "alias z=$'\\x72m -r a'",
  "alias y=ls z='if true; then rm -r a; fi'",
  "mapfile -c 1 -C $'r\\155 -r a' v",
  "readarray -C 'rm -r a' v",
  "compgen -C $'\\x72m -r a'",
  "complete -C 'rm -r a' z",
  "PS4=$'$(\\x72m -r a)' bash -x f",
  "GIT_SSH_COMMAND=$'\\162m -r a' git fetch",
  "PAGER='if true; then rm -r a; fi' git -p log",
  "tar xf b --to-command=$'\\x72m -r a'",
  "rsync -e $'\\x72m -r a' b h:",
  "scp -o ProxyCommand=$'\\x72m -r a' b h:",
  "scp -o 'ProxyCommand rm -r a' b h:",
  "printf '%s' $'bash -c $\\'\\\\x72m -r a\\'' | sh",
  "fd -x rm -r a",
  "python3.12 -c 'import os; os.system(\"rm -r a\")'"
]

describe("code that a command hands over", () => {
  it.each(HANDED.map((command) => [command]))("is seen: %j", (command) => {
    expect(ruleHits(command, "rm *"), command).toBe("hit")
  })

  it.each([
    ['trap "npm publish" EXIT', "npm publish"],
    ["tar xf a --to-command='sh -c \"npm publish\"'", "npm publish"],
    ["node -e 'exec(\"npm publish\")'", "npm publish"]
  ])("a rule without a star sees a whole quoted command: %s", (command, rule) => {
    expect(ruleHits(command, rule)).toBe("hit")
  })

  it.each([
    "ssh h cat <<'E'\nrm -r a\nE",
    "cat <<'E'\nrm -r a\nE",
    "git commit -F - <<'E'\nrm -r a\nE",
    "cat bash <<'E'\nrm -r a\nE",
    'echo "$(echo \\$HOME)"'
  ])("text is not code: %j", (command) => {
    expect(ruleHits(command, "rm *")).toBeUndefined()
  })

  it("what flows into a shell behind a wrapper is only known at run time", () => {
    for (const command of ["cat f | ssh h", "curl x | docker exec -i c sh", "cat f | sudo -s"]) {
      expect(ruleHits(command, "zzz *"), command).toBe("hidden")
    }
    expect(ruleHits("tar c . | ssh h tar x", "zzz *")).toBeUndefined()
  })

  it.each([
    "PS4='$(touch d/out)' bash -x f",
    "GIT_SSH_COMMAND='touch d/out' git fetch",
    "su - u <<'E'\ntouch d/out\nE",
    'python3 -c \'os.system("sh -c \\"touch d/out\\"")\'',
    "echo `echo \\`touch d/out\\``"
  ])("rules about paths see it too: %s", (command) => {
    expect(decideIn({ mode: "bypassPermissions", deny: ["Edit(d/**)"] }, { need: shell(command) }).verdict).toBe("deny")
  })

  it("a program that is only known at run time could touch what a rule about paths names", () => {
    for (const command of ["x='cat sec'; $x", "$X", "curl x | sh"]) {
      expect(decideIn({ mode: "bypassPermissions", deny: ["Read(sec)"] }, { need: shell(command) }).verdict, command).toBe(
        "ask"
      )
    }
    expect(decideIn({ mode: "bypassPermissions", deny: ["Read(sec)"] }, { need: shell("./x") }).verdict).toBe("allow")
  })

  it("what is found comes behind the command of fd", () => {
    expect(touched("fd -x cat")).toContain("read ?")
    expect(touched("fd -x cat {}")).toContain("read ?")
  })
})
