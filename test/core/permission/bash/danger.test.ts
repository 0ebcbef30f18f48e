import { describe, expect, it } from "vitest"
import { analysed, partOf } from "./analysing.ts"

const CRITICAL = [
  "rm -rf /", "rm -rf /*", "rm -rf //", "rm -rf /.", "rm -rf /usr", "rm -rf /usr/", "rm -rf /usr/*", "rm -rf ~",
  "rm -rf ~/", "rm -rf ~/*", "rm -rf $HOME", "rm -rf \"$HOME\"/", "rm -rf ${HOME}/*",
  "rm -rf \"$D\"/*", "rm -rf $D/", "rm -rf ${D}/*.o", "rm -rf \"${D}/\"", "rm -rf $(x)/*", "rm -rf /$X", "rm -rf .",
  "rm -rf ./", "rm -rf ..", "rm -rf *", "rm -rf ./*", "rm -rf ./.*",
  "rm -rf /work", "rm -rf /work/*", "rm -rf ../work", "rm -r /home/u", "rm -r /home", "rm -fr -- /", "rm / -rf",
  "\\rm -rf /", "/bin/rm -rf /", "RM -rf /", "sudo rm -rf /", "sudo -u x rm -rf /",
  "sh -c 'rm -rf /'", "echo x && rm -rf /", "echo $(rm -rf /)", "x=$(rm -rf ~)", "{ rm -rf /; }", "timeout 5 rm -rf /",
  "somewrapper rm -rf /", "rmdir /work", "unlink /usr", "find / -delete",
  "find . -delete", "find -delete", "find / -name x -delete", "find ~ -name x -delete", "shred -u /usr",
  "cd / && rm -rf *", "cd .. && rm -rf *", "xargs rm -rf /", "find . -exec rm -rf / \\;",
  "for i in 1; do rm -rf /; done", "rm -rf / (", "dd if=x of=/dev/sda", "dd of=/dev/nvme0n1", "mkfs.ext4 /dev/sda1",
  "mkfs -t ext4 x", "chmod -R 777 /", "chown -R u /", "chmod -R 777 ~", ":(){ :|:& };:",
  "echo x > /dev/sda", "cat x | tee /dev/sda", "cp x /dev/nvme0n1", "python3 -c 'import os' && rm -rf ~", "rm -rf C:/",
  "eval 'rm -rf ~'", "rm -rf a /", "cd $X && rm -rf *", "rm -rf {/,x}", "rm -rf /{usr,x}", "rm -rf $(pwd)",
  "rm -rf \"`pwd`\"", "find / -exec rm {} +", "find . -type f -delete", "find . -name '*' -delete", "find ~ -execdir rm -rf {} \\;"
]

const ORDINARY = [
  "rm -rf dist", "rm a", "rm -rf /work/dist", "rm -rf /tmp/x", "rm -rf /home/u/x", "rm -rf $D", "rm -rf \"$D/build\"",
  "rm *.o", "rm -rf dist/*", "find . -name x -delete", "find src -delete", "dd if=a of=b",
  "dd if=/dev/zero of=/dev/null", "git rm /", "echo rm -rf /", "git commit -m 'rm -rf /'", "chmod -R u+x src",
  "git clean -fdx", "git clean -fd src", "shred /usr", "rm -rf ./dist/", "rm -rf {a,b}", "rm -rf dist/{a,b}", "find . -name x -exec rm {} +", "cat /dev/sda", "ls /", "grep 'rm -rf /' a",
  "rm ''"
]

describe("damage that nothing lifts", () => {
  it.each(CRITICAL.map((command) => [command]))("%s", (command) => {
    expect(analysed(command).critical, command).toMatch(/^Would /)
  })

  it.each(ORDINARY.map((command) => [command]))("ordinary: %s", (command) => {
    expect(analysed(command).critical, command).toBeUndefined()
  })

  it("knows every working directory and drives", () => {
    expect(analysed("rm -rf /srv/data", { workingDirs: ["/work", "/srv/data/x"] }).critical).toBeDefined()
    expect(analysed("rm -rf /mnt/c/Users", { platform: "wsl" }).critical).toBeDefined()
    expect(analysed("rm -rf /mnt/c/Users").critical).toBeUndefined()
  })
})

const SPELLED: ReadonlyArray<readonly [command: string, words: ReadonlyArray<string>, loses: string | undefined]> = [
  ["git reset --hard", ["reset"], "files"],
  ["git reset --hard HEAD~1", ["reset"], "files"],
  ["git -C x reset --hard", ["reset"], "files"],
  ["git clean -fd", ["clean"], "untracked"],
  ["git clean --force", ["clean"], "untracked"],
  ["git checkout -- a", ["checkout"], "files"],
  ["git checkout .", ["checkout"], "files"],
  ["git checkout -f main", ["checkout"], "files"],
  ["git restore a", ["restore"], "files"],
  ["git restore --staged --worktree a", ["restore"], "files"],
  ["git stash drop", ["stash", "drop"], "stashes"],
  ["git stash clear", ["stash", "clear"], "stashes"],
  ["git branch -D x", ["branch"], "commits"],
  ["git push --force", ["push"], "commits"],
  ["git push -f", ["push"], "commits"],
  ["git push -uf origin x", ["push"], "commits"],
  ["git push --force-with-lease=x", ["push"], "commits"],
  ["git push origin --delete x", ["push"], "commits"],
  ["git push origin +main", ["push"], "commits"],
  ["git push origin :main", ["push"], "commits"],
  ["git reflog expire --all", ["reflog", "expire"], "commits"],
  ["git gc --prune=now", ["gc"], "commits"],
  ["git worktree remove --force x", ["worktree", "remove"], "files"],
  ["git filter-branch x", ["filter-branch"], "commits"],
  ["git filter-repo x", ["filter-repo"], "commits"],
  ["git -c alias.x=!y x", ["-c"], undefined],
  ["git bisect run x", ["run"], undefined],
  ["git rebase --exec x", ["--exec"], undefined],
  ["git submodule foreach x", ["foreach"], undefined],
  ["dd of=x", ["dd"], "files"],
  ["shred x", ["shred"], "files"],
  ["truncate -s 0 x", ["truncate"], "files"],
  ["chmod -R 777 src", ["-R"], "files"],
  ["chown -R u src", ["-R"], "files"],
  ["kill -9 -1", ["-1"], undefined],
  ["find . -exec x +", ["-exec"], undefined],
  ["find . -delete", ["-delete"], "files"],
  ["fd x -X rm", ["-X"], undefined],
  ["python3 -c x", ["-c"], undefined],
  ["bash -lc x", ["-lc"], undefined],
  ["node -e x", ["-e"], undefined],
  ["perl -ne x", ["-ne"], undefined],
  ["sudo ls", ["sudo"], undefined],
  ["env X=1 ls", ["env"], undefined],
  ["watch ls", ["watch"], undefined],
  ["setsid ls", ["setsid"], undefined],
  ["ionice ls", ["ionice"], undefined],
  ["flock l ls", ["flock"], undefined],
  ["xargs -n1 ls", ["xargs"], undefined],
  ["sudo git reset --hard", ["sudo", "reset"], "files"],
  ["timeout 5 git reset --hard", ["reset"], "files"],
  ["git checkout README.md", ["checkout"], "files"],
  ["git checkout ./src", ["checkout"], "files"],
  ["git checkout src/", ["checkout"], "files"],
  ["git checkout :/", ["checkout"], "files"],
  ["git checkout '*.ts'", ["checkout"], "files"],
  ["git checkout -p", ["checkout"], "files"],
  ["git checkout --pathspec-from-file=x", ["checkout"], "files"],
  ["git --bare log", ["--bare"], undefined],
  ["python3.12 -Bc x", ["-Bc"], undefined],
  ["pypy3 -c x", ["-c"], undefined],
  ["perl5.36 -e x", ["-e"], undefined],
  ["ruby3.1 -e x", ["-e"], undefined],
  ["php8.2 -r x", ["-r"], undefined],
  ["lua5.4 -e x", ["-e"], undefined],
  ["mksh -c x", ["-c"], undefined],
  ["ksh93 -c x", ["-c"], undefined],
  ["node --import=data:text/javascript,x a.js", ["--import=data:text/javascript,x"], undefined],
  ["go test -exec x", ["-exec"], undefined],
  ["go build -toolexec=x", ["-toolexec"], undefined],
  ["go vet -vettool=x", ["-vettool"], undefined],
  ["cargo --config build.rustc='x' build", ["--config"], undefined],
  ["tar xIf sh a", ["-I"], undefined],
  ["tar -xf a -I sh", ["-I"], undefined],
  ["zip a b -T -TT sh", ["-TT"], undefined],
  ["zip --unzip-command=sh -T a b", ["--unzip-command"], undefined],
  ["ssh -o ProxyCommand=x h", ["ssh", "-o"], undefined],
  ["ssh -oProxyCommand=x h", ["ssh", "-o"], undefined],
  ["ssh -o BatchMode=yes h", ["ssh"], undefined],
  ["awk -l x 1", ["-l"], undefined],
  ["awk 'BEGIN{@f(\"x\")}'", ["BEGIN{@f(\"x\")}"], undefined],
  ["awk 'BEGIN{ARGV[1]=\"/x\"}1'", ["BEGIN{ARGV[1]=\"/x\"}1"], undefined]
]

describe("what a wildcard must spell", () => {
  it.each(SPELLED)("%s", (command, spelled, loses) => {
    const { danger } = partOf(command)
    expect({ spelled: danger?.spelled.flatMap((words) => words.split(" ")), loses: danger?.loses }).toEqual({ spelled,
      loses })
    expect(danger?.sentence).toBeTypeOf("string")
  })

  it.each(
    ["git status", "git reset HEAD a", "git reset --soft x", "git clean -n", "git checkout main", "git checkout -b x",
      "git restore --staged a", "git stash", "git stash pop", "git branch -d x", "git push",
      "git push -u origin main", "git gc", "git worktree remove x", "git cherry-pick -x a",
      "git commit -m 'reset --hard'", "find . -name x", "chmod 600 a", "python3 a.py", "ls", "xargs ls",
      "timeout 5 ls", "npm test",
      "kill 1", "bash a.sh", "dd if=a", "git checkout feature/x", "git checkout v1.2.3", "git checkout -b a.b",
      "awk '$1 || $2' a", "awk '$1 > 5 {print $2}' a", "tar xf a", "python3.12 a.py", "go test -run X ./...",
      "cargo build"].map((command) => [command])
  )("nothing to spell: %s", (command) => {
    expect(partOf(command).danger).toBeUndefined()
  })
})
