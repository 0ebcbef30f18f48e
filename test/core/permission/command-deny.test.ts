import { describe, expect, it } from "vitest"
import { shell, verdictOn } from "./fixture.ts"

/** Ways to hide a program from a rule that names it. `rm -r a` stands for the command. */
const HIDING: ReadonlyArray<readonly [string, (command: string) => string]> = [
  ["plain", (c) => c],
  ["backslash", (c) => `\\${c}`],
  ["empty quotes inside", (c) => c.replace("rm", "r''m")],
  ["double quotes inside", (c) => c.replace("rm", 'r""m')],
  ["quoted program", (c) => c.replace("rm", '"rm"')],
  ["single quoted program", (c) => c.replace("rm", "'rm'")],
  ["escaped letter", (c) => c.replace("rm", String.raw`r\m`)],
  ["line continuation", (c) => c.replace("rm", "r\\\nm")],
  ["ansi-c octal", (c) => c.replace("rm", () => String.raw`$'\162\155'`)],
  ["ansi-c hex", (c) => c.replace("rm", () => String.raw`$'\x72m'`)],
  ["locale quotes", (c) => c.replace("rm", () => '$"rm"')],
  ["path", (c) => `/bin/${c}`],
  ["longer path", (c) => `/usr/../bin/${c}`],
  ["home path", (c) => `~/bin/${c}`],
  ["command", (c) => `command ${c}`],
  ["command with flag", (c) => `command -p ${c}`],
  ["builtin", (c) => `builtin ${c}`],
  ["exec", (c) => `exec -a x ${c}`],
  ["assignment", (c) => `X=1 ${c}`],
  ["two assignments", (c) => `X=1 Y='a b' ${c}`],
  ["env", (c) => `env X=1 ${c}`],
  ["env with flags", (c) => `env -i PATH=/bin ${c}`],
  ["env -S", (c) => `env -S '${c}'`],
  ["sudo", (c) => `sudo -u u ${c}`],
  ["doas", (c) => `doas ${c}`],
  ["timeout", (c) => `timeout -k 1 5 ${c}`],
  ["nice", (c) => `nice -n 5 ${c}`],
  ["nohup", (c) => `nohup ${c} &`],
  ["stdbuf", (c) => `stdbuf -oL ${c}`],
  ["time", (c) => `time -p ${c}`],
  ["setsid", (c) => `setsid ${c}`],
  ["unknown wrapper", (c) => `somewrapper --flag ${c}`],
  ["two wrappers", (c) => `sudo env X=1 nice ${c}`],
  ["busybox", (c) => `busybox ${c}`],
  ["group", (c) => `{ ${c}; }`],
  ["subshell", (c) => `(${c})`],
  ["nested subshell", (c) => `((( ${c} )))`],
  ["substitution", (c) => `echo $(${c})`],
  ["quoted substitution", (c) => `echo "x $(${c}) y"`],
  ["backticks", (c) => `echo \`${c}\``],
  ["quoted backticks", (c) => `echo "\`${c}\`"`],
  ["process substitution", (c) => `cat <(${c})`],
  ["default value", (c) => `echo \${x:-$(${c})}`],
  ["and", (c) => `true && ${c}`],
  ["or", (c) => `false || ${c}`],
  ["semicolon", (c) => `ls;${c}`],
  ["newline", (c) => `ls\n${c}`],
  ["pipe", (c) => `ls | ${c}`],
  ["background", (c) => `ls & ${c}`],
  ["negation", (c) => `! ${c}`],
  ["sh -c", (c) => `sh -c '${c}'`],
  ["bash -lc", (c) => `bash -lc "${c}"`],
  ["nested sh -c", (c) => `sh -c "bash -c '${c}'"`],
  ["eval", (c) => `eval "${c}"`],
  ["xargs", (c) => `ls | xargs -n1 ${c}`],
  ["find -exec", (c) => `find . -exec ${c} {} \\;`],
  ["ssh", (c) => `ssh host ${c}`],
  ["ssh quoted", (c) => `ssh host '${c}'`],
  ["trap", (c) => `trap '${c}' EXIT`],
  ["watch", (c) => `watch '${c}'`],
  ["if", (c) => `if true; then ${c}; fi`],
  ["for", (c) => `for i in 1; do ${c}; done`],
  ["case", (c) => `case x in x) ${c};; esac`],
  ["case in substitution", (c) => `echo "$(case x in x) ${c};; esac)"`],
  ["function", (c) => `f() { ${c}; }; f`],
  ["here document", (c) => `cat <<EOF\n$(${c})\nEOF`],
  ["redirect first", (c) => `>out ${c}`],
  ["descriptor first", (c) => `2>/dev/null ${c}`],
  ["comment with quote", (c) => `# it's fine\n${c} # don't`],
  ["IFS", (c) => c.replaceAll(" ", "${IFS}")],
  ["tab", (c) => c.replaceAll(" ", "\t")],
  ["echo into sh", (c) => `echo ${c} | sh`],
  ["docker exec", (c) => `docker exec -it box ${c}`],
  ["npx", (c) => `npx ${c}`],
  ["git alias", (c) => `git -c alias.x='!${c}' x`],
  ["python", (c) => `python3 -c "import os; os.system('${c}')"`],
  ["coproc", (c) => `coproc ${c}`],
  ["upper case program", (c) => c.replace("rm", "RM")],
  ["string that looks quoted", (c) => `echo "\\"; ${c}; echo \\""; ${c}`],
  ["backslash in single quotes", (c) => `echo '\\'; ${c}; echo '\\'`]
]

describe("deny rules see through disguises", () => {
  it.each(HIDING)("%s", (_, hide) => {
    const command = hide("rm -r a")
    for (const mode of ["default", "bypassPermissions"] as const) {
      expect(verdictOn({ mode, deny: ["Bash(rm *)"], allow: ["Bash"] }, shell(command)), command).toBe("deny")
    }
  })

  it.each(HIDING)("ask rule: %s", (_, hide) => {
    expect(verdictOn({ mode: "bypassPermissions", ask: ["Bash(rm *)"] }, shell(hide("rm -r a")))).toBe("ask")
  })

  it.each(
    ["$X -r a", "x=rm; $x -r a", "/bin/r? a", "{rm,-r,a}", "$(echo rm) -r a", "base64 -d x | sh", "r${e}m a", "sudo $X"]
  )(
    "a program known only at run time asks even in bypass mode: %s",
    (command) => {
      expect(verdictOn({ mode: "bypassPermissions", deny: ["Bash(rm *)"] }, shell(command))).toBe("ask")
      expect(verdictOn({ mode: "bypassPermissions" }, shell(command))).toBe("allow")
    }
  )

  it.each(
    ["echo rm -r a", "git rm a", 'git commit -m "rm -r a; done"', "grep rm a", "ls rm-dir", "rmdir a", "cat 'rm -r a'"]
  )(
    "does not fire on what is only text: %s",
    (command) => {
      expect(verdictOn({ deny: ["Bash(rm *)"], allow: ["Bash"] }, shell(command))).toBe("allow")
    }
  )

  it("finds a sub-command behind global flags", () => {
    const setting = { mode: "bypassPermissions", deny: ["Bash(git push *)"] } as const
    expect(verdictOn(setting, shell("git -C /x --no-pager push origin"))).toBe("deny")
    expect(verdictOn(setting, shell("git status"))).toBe("allow")
  })

  const outer =
    /^(?:env|sudo|group|subshell|substitution|quoted substitution|and|newline|sh -c|eval|if|case|function|here document)$/
  const OUTER = HIDING.filter(([name]) => outer.test(name))

  it.each(OUTER)("a disguise inside another one is still denied or asked about: %s", (_, wrap) => {
    for (const [, inner] of HIDING) {
      const command = wrap(inner("rm -r a"))
      expect(verdictOn({ mode: "bypassPermissions", deny: ["Bash(rm *)"] }, shell(command)), command).not.toBe("allow")
    }
  })

  it("takes time in proportion to the text", () => {
    const setting = { deny: ["Bash(rm * zzz)", "Bash(*x*y*z)"], allow: ["Bash"] }
    for (const unit of ["rm ", "( ", "$( ", '" ', "` ", "{ ", "a; ", "'$(", "\\", "<(", "$'"]) {
      expect(verdictOn(setting, shell(unit.repeat(4_000)))).toBeDefined()
    }
  })
})
