import { describe, expect, it } from "vitest"
import { LABEL } from "../../../src/adapters/offline/answer.ts"
import { asking, asMessage, converse, CWD, request, say, text, tool, TOOLS, user, type World } from "./world.ts"

const at = (path: string): string => `${CWD}/${path}`

/** A world in which one tool always fails. */
const failing =
  (name: string, content: string): World =>
  (call) =>
    call.name === name ? { content, isError: true } : { content: "ok" }

describe("phrases that become one call", () => {
  it.each<readonly [string, string, unknown]>([
    ["read README.md", "Read", { file_path: at("README.md") }],
    ["Please show me the file `my notes.txt`.", "Read", { file_path: at("my notes.txt") }],
    ["could you read /etc/hosts, please", "Read", { file_path: "/etc/hosts" }],
    ["READ ./src/a.ts lines 10-20", "Read", { file_path: at("src/a.ts"), offset: 10, limit: 11 }],
    ["look at Makefile", "Read", { file_path: at("Makefile") }],
    ["list files", "Glob", { pattern: "*" }],
    ["list all files", "Glob", { pattern: "**/*" }],
    ["list files in src", "Glob", { pattern: "*", path: at("src") }],
    ["find files *.ts in src", "Glob", { pattern: "*.ts", path: at("src") }],
    ["find files matching `**/*.md`", "Glob", { pattern: "**/*.md" }],
    ["find **/*.json", "Glob", { pattern: "**/*.json" }],
    ["search for TODO in src", "Grep", { pattern: "TODO", path: at("src"), output_mode: "content" }],
    ["grep `a.b|c` in *.ts", "Grep", { pattern: "a.b|c", glob: "*.ts", output_mode: "content" }],
    ["find TODO in this project", "Grep", { pattern: "TODO", output_mode: "content" }],
    ["search the code for foo(", "Grep", { pattern: "foo\\(", output_mode: "content" }],
    ["please run `ls -la`", "Bash", { command: "ls -la" }],
    ["run `ls`", "Bash", { command: "ls" }],
    ["run ls -la | wc -l", "Bash", { command: "ls -la | wc -l" }],
    ["execute the command `git status`!", "Bash", { command: "git status" }],
    ["run\n```sh\necho a\necho b\n```", "Bash", { command: "echo a\necho b" }],
    ["run `npm start` in the background", "Bash", { command: "npm start", run_in_background: true }],
    ["write hello.txt with some text.", "Write", { file_path: at("hello.txt"), content: "some text." }],
    ['create a file called docs/a.md containing "# Hi"', "Write", { file_path: at("docs/a.md"), content: "# Hi" }],
    ["write a.txt with the text: one\ntwo", "Write", { file_path: at("a.txt"), content: "one\ntwo" }],
    ["write `hi` to out.txt", "Write", { file_path: at("out.txt"), content: "hi" }],
    ["fetch https://a.org/b?c=1", "WebFetch", { url: "https://a.org/b?c=1", prompt: "What does this page say?" }],
    ["fetch https://a.org and name the author", "WebFetch", { url: "https://a.org", prompt: "name the author" }],
    ["search the web for pearls", "WebSearch", { query: "pearls" }],
    ["use skill pdf:extract with a.pdf", "Skill", { skill: "pdf:extract", args: "a.pdf" }],
    [
      "delegate: count the files in src",
      "Agent",
      { description: "count the files in src", prompt: "count the files in src", run_in_background: false }
    ]
  ])("%s", (prompt, name, input) => {
    const [call, ...others] = say(asking(prompt)).calls
    expect({ name: call?.name, input: call?.input }).toEqual({ name, input })
    expect(others).toEqual([])
  })

  it("asks with two to four unique options and a short header", () => {
    const asked = (prompt: string) => say(asking(prompt)).calls[0]?.input
    expect(asked("ask me which colour: red, green or blue")).toEqual({
      questions: [
        {
          question: "Which colour?",
          header: "Which colour",
          options: ["red", "green", "blue"].map((label) => ({ label, description: `Answer "${label}"` })),
          multiSelect: false
        }
      ]
    })
    const labels = (...names: ReadonlyArray<string>) => names.map((label) => ({ label }))
    expect(asked("ask me whether to go now or later")).toMatchObject({ questions: [{ options: labels("Yes", "No") }] })
    expect(asked("ask me: a, a, b, c, d, e")).toMatchObject({
      questions: [{ question: "Which one: a, a, b, c, d, e?", options: labels("a", "b", "c", "d") }]
    })
    expect(asked("ask me")).toMatchObject({ questions: [{ question: "Shall I go on?" }] })
  })

  it("keeps relative paths when the directory is not known", () => {
    expect(say(asking("read a.txt", { system: "" })).calls[0]?.input).toEqual({ file_path: "a.txt" })
  })
})

describe("phrases that become several calls", () => {
  it("reads two files side by side", () => {
    expect(say(asking("read a.txt and b.txt")).calls.map((call) => call.input)).toEqual([
      { file_path: at("a.txt") },
      { file_path: at("b.txt") }
    ])
  })

  it("reads before it edits", () => {
    const { calls } = converse('replace all `a b` with "" in x.txt')
    expect(calls.map((call) => [call.name, call.input])).toEqual([
      ["Read", { file_path: at("x.txt") }],
      ["Edit", { file_path: at("x.txt"), old_string: "a b", new_string: "", replace_all: true }]
    ])
  })

  it("does not edit what it could not read", () => {
    const { calls, final } = converse("replace `a` with `b` in x.txt", failing("Read", "File does not exist."))
    expect(calls.map((call) => call.name)).toEqual(["Read"])
    expect(final).toContain("Read x.txt did not work:")
  })

  it("reads a file that was refused as unread, and writes again", () => {
    let writes = 0
    const { calls, final } = converse("write a.txt with hi", (call) =>
      call.name === "Write" && writes++ === 0
        ? { content: "File has not been read yet. Read it first before writing to it.", isError: true }
        : { content: "ok" }
    )
    expect(calls.map((call) => call.name)).toEqual(["Write", "Read", "Write"])
    expect(final).not.toContain("did not work")
  })

  it("goes on with `then` as long as things succeed", () => {
    const prompt = "read a.txt then run `echo then x` and then list files"
    expect(converse(prompt).calls.map((call) => call.name)).toEqual(["Read", "Bash", "Glob"])
    expect(converse(prompt, failing("Bash", "Exit code 1")).calls.map((call) => call.name)).toEqual(["Read", "Bash"])
  })

  it("tracks items with the tool that is there", () => {
    const list = converse("track design, build and test")
    expect(list.calls[0]?.input).toMatchObject({
      todos: [{ content: "design", status: "pending" }, { content: "build" }, { content: "test" }]
    })
    const tasks = converse("todo: design, build", undefined, { tools: [tool("TaskCreate")] })
    expect(tasks.calls.map((call) => call.input)).toMatchObject([
      { subject: "design", description: "design" },
      { subject: "build" }
    ])
  })

  it("plans in plan mode, into the plan file", () => {
    const file = "/home/ann/.claude/plans/calm-blue-sea.md"
    const { calls } = converse("plan the next release", () => ({ content: `Write the plan to ${file}.` }))
    expect(calls.map((call) => call.name)).toEqual(["EnterPlanMode", "Write", "ExitPlanMode"])
    expect(calls[1]?.input).toMatchObject({ file_path: file })
    expect(calls[2]?.input).toMatchObject({ plan: expect.stringContaining("the next release") })
    const tools = [tool("EnterPlanMode"), tool("ExitPlanMode")]
    expect(converse("plan it", undefined, { tools }).calls[1]?.input).toEqual({})
  })

  it("remembers at the end of the memory file", () => {
    const world: World = (call) => ({ content: call.name === "Read" ? "     1\t- a\n     2\t- b\n     3\t- a" : "ok" })
    const { calls } = converse("remember that tests run with npm test", world)
    expect(calls[1]?.input).toEqual({
      file_path: at("CLAUDE.md"),
      old_string: "- b\n- a",
      new_string: "- b\n- a\n- tests run with npm test"
    })
  })

  it("starts the memory file when there is none, in the directory that is named", () => {
    const system = "Memories are kept in /home/ann/.claude/projects/x/memory/."
    const { calls } = converse("remember x", failing("Read", "File does not exist."), { system })
    expect(calls.map((call) => [call.name, call.input])).toEqual([
      ["Read", { file_path: "/home/ann/.claude/projects/x/memory/MEMORY.md" }],
      ["Write", { file_path: "/home/ann/.claude/projects/x/memory/MEMORY.md", content: "- x\n" }]
    ])
    const denied = converse("remember x", failing("Read", "Permission denied by rule Read(**)"))
    expect(denied.calls).toHaveLength(1)
  })
})

describe("tools that are not offered", () => {
  const withSearch = TOOLS.filter((offered) => offered.name !== "WebFetch").concat(tool("ToolSearch"))

  it("are searched for and then called", () => {
    let tools = withSearch
    const first = say(asking("fetch https://example.com", { tools }))
    expect(first.calls.map((call) => [call.name, call.input])).toEqual([["ToolSearch", { query: "select:WebFetch" }]])
    const { calls } = converse(
      "fetch https://example.com",
      (call) => {
        if (call.name === "ToolSearch") tools = [...withSearch, tool("WebFetch")]
        return { content: "ok" }
      },
      {
        get tools() {
          return tools
        }
      }
    )
    expect(calls.map((call) => call.name)).toEqual(["ToolSearch", "WebFetch"])
  })

  it("are named when the search did not bring them or there is none", () => {
    const { calls, final } = converse("fetch https://example.com", undefined, { tools: withSearch })
    expect(calls.map((call) => call.name)).toEqual(["ToolSearch"])
    expect(final).toContain("the tool WebFetch, which is not offered")
    expect(converse("run `ls`", undefined, { tools: [] }).final).toContain("No tools are offered.")
  })

  it("are called all the same when a script says so", () => {
    expect(say(asking("@tool Nonsense {}", { tools: [] })).calls[0]?.name).toBe("Nonsense")
  })
})

describe("answers", () => {
  it("tell what a command printed", () => {
    const { final } = converse("run `ls`", () => ({ content: "a.txt\n```\nb.txt" }))
    expect(final).toBe(`${LABEL}\n\nI ran \`ls\`. The result:\n\n\`\`\`\`\na.txt\n\`\`\`\nb.txt\n\`\`\`\``)
  })

  it("hand on the reason of a denial", () => {
    const reason = "Permission denied: Bash was not run. Denied by Bash(rm *) in project settings."
    const { final } = converse("run `rm -r x`", failing("Bash", reason))
    expect(final).toContain("Bash `rm -r x` was not allowed to run.")
    expect(final).toContain(reason)
  })

  it("leave out the advice that a denial gives to a model", () => {
    const result = "Permission denied: Bash was not run. Why. Go on with work that does not depend on it. Stop."
    expect(converse("run `x`", failing("Bash", result)).final).toMatch(/Bash was not run\. Why\.$/)
  })

  it("say once that there is nothing to add, also about structured output", () => {
    const tools = [tool("StructuredOutput")]
    const messages = [user(text("hello")), asMessage(say(asking("hello"))), user(text("Stop hook feedback: no"))]
    expect(say(request(messages)).text).toBe(`${LABEL}: I have nothing to add.`)
    expect(say(request(messages, { tools })).text).toContain("@tool StructuredOutput")
  })

  it("do not take a command's own words for a denial", () => {
    const { final } = converse("run `cat x`", failing("Bash", "Exit code 1\ncat: x: Permission denied"))
    expect(final).toContain("did not work")
    expect(final).not.toContain("not allowed to run")
  })

  it("shorten long results and say by how much", () => {
    const { final } = converse("run `seq 100`", () => ({ content: "1\n".repeat(100).trim() }))
    expect(final).toContain("(80 more lines)")
  })

  it.each([
    "hello",
    "why is the sky blue?\nreally",
    "run the tests",
    "show me what you can do",
    "find me a restaurant",
    "read me a story",
    ""
  ])("help with %j", (prompt) => {
    const said = say(asking(prompt))
    expect(said.calls).toEqual([])
    expect(said.text.split("\n")[0]).toBe(LABEL)
    expect(said.text).toContain(`You said: ${prompt === "" ? "(nothing)" : prompt.split("\n")[0]}`)
    expect(said.text).toContain("ANTHROPIC_API_KEY")
    expect(said.text).toContain("tour")
  })

  it("name only what this session can do", () => {
    const said = say(asking("hello", { tools: [tool("Bash")] })).text
    expect(said).toContain("run `ls -la` (Bash)")
    expect(said).not.toContain("WebFetch")
    expect(say(asking("hello", { tools: [] })).text).toContain("No tools are offered")
  })

  it("show how a sentence would have worked", () => {
    expect(say(asking("run the tests")).text).toContain("It would have worked as: run `ls -la`")
  })
})
