import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { Effect, Fiber, Option, Queue } from "effect"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { BackgroundTasks, MOST_ENDED_TASKS } from "../../../../src/shell/tools/services/background-tasks.ts"
import type { RunningCommand } from "../../../../src/core/ports/Process.ts"
import { taskOutputExecutor } from "../../../../src/shell/tools/bash/task-output.ts"
import { taskStopExecutor } from "../../../../src/shell/tools/bash/task-stop.ts"
import { livingMembers, until } from "../../../adapters/process/harness.ts"
import { type BashHarness, makeBashHarness } from "../bash/bash-harness.ts"

let harness: BashHarness
beforeEach(() => {
  harness = makeBashHarness()
})
afterEach(() => harness.close())

const inBackground = (command: string) => harness.run(harness.bash({ command, run_in_background: true }))

const tasks = <A, E>(use: (service: BackgroundTasks["Service"]) => Effect.Effect<A, E>) =>
  harness.run(Effect.flatMap(BackgroundTasks, use))

const nextNotice = () => tasks((service) => Queue.take(service.notices))
const waitingNotice = () => tasks((service) => Queue.poll(service.notices))

const flag = (name: string): string => join(harness.root, name)
const whenSet = (name: string): string => `until [ -e '${flag(name)}' ]; do sleep 0.01; done`

/** A command that has ended already, or one that never does. */
const fakeCommand = (exit: RunningCommand["exit"]): RunningCommand => ({
  pid: 0,
  outputPath: "",
  exit,
  snapshot: Effect.succeed({ totalBytes: 0, totalLines: 0, tail: "", overflowed: false, lost: null }),
  readHead: () => Effect.succeed(""),
  readTail: () => Effect.succeed(""),
  beginCancel: Effect.void,
  cancel: Effect.void,
  toBackground: Effect.void,
  keepOutput: () => Effect.void,
  discardOutput: Effect.void
})

describe("background commands that have ended", () => {
  it("are forgotten when there are very many, the oldest first, and never one that runs", async () => {
    const start = (taskId: string) => ({ taskId, callId: taskId, command: "true" })
    await tasks((service) => service.adopt(fakeCommand(Effect.never), start("running")))
    const done = fakeCommand(Effect.succeed({ code: 0, signal: null, note: null }))
    for (let count = 0; count < MOST_ENDED_TASKS + 5; count++) {
      await tasks((service) => service.adopt(done, start(`t${count}`)))
      await nextNotice()
    }
    const list = await tasks((service) => service.list)
    expect(list.length).toBe(MOST_ENDED_TASKS + 1)
    expect([list[0]?.taskId, list[1]?.taskId]).toEqual(["running", "t5"])
  })
})

describe("a background command", () => {
  it("returns at once and gives exactly one notice when it ends", async () => {
    const { data, content } = await inBackground(`echo started; ${whenSet("go")}; echo done; exit 3`)
    const taskId = data.backgroundTaskId ?? ""
    const outputPath = data.rawOutputPath ?? ""
    expect(outputPath).toBe(join(harness.sessionDir, "tasks", `${taskId}.output`))
    expect(content).toContain(`runs in the background as task ${taskId}`)
    expect(Option.isNone(await waitingNotice())).toBe(true)
    expect(await tasks((service) => service.find(taskId))).toMatchObject({ status: "running", exitCode: null })
    writeFileSync(flag("go"), "")
    expect(await nextNotice()).toMatchObject({ taskId, status: "failed", exitCode: 3, outputPath })
    expect(readFileSync(outputPath, "utf8")).toBe("started\ndone\n")
    expect(Option.isNone(await waitingNotice())).toBe(true)
    const [listed] = await tasks((service) => service.list)
    expect(listed).toMatchObject({ taskId, status: "failed", exitCode: 3, totalBytes: 13 })
  })

  it("says in a run without a user that it ends with the answer", async () => {
    const { data } = await harness.run(harness.bash({ command: "true", run_in_background: true }, { nonInteractive: true }))
    expect(data.backgroundEndsWithFinalResponse).toBe(true)
    expect(await nextNotice()).toMatchObject({ status: "completed", exitCode: 0 })
  })

  it("is left alone by the fiber that started it", async () => {
    const { data } = await inBackground(whenSet("go"))
    expect(await tasks((service) => service.find(data.backgroundTaskId ?? ""))).toMatchObject({ status: "running" })
    writeFileSync(flag("go"), "")
    expect(await nextNotice()).toMatchObject({ status: "completed" })
  })
})

describe("moving a foreground command", () => {
  it("ends the call with a task that goes on (A13)", async () => {
    const context = harness.context()
    const call = harness.bash(`: > '${flag("up")}'; echo building; ${whenSet("go")}; echo built`, {
      callId: context.callId
    })
    const fiber = await harness.run(Effect.forkDetach(call))
    await until("it runs", () => existsSync(flag("up")))
    expect(await tasks((service) => service.moveToBackground("someone else"))).toBe(false)
    expect(await tasks((service) => service.moveToBackground(context.callId))).toBe(true)
    const { data } = await harness.run(Fiber.join(fiber))
    expect(data).toMatchObject({ backgroundedByUser: true, interrupted: false })
    writeFileSync(flag("go"), "")
    expect(await nextNotice()).toMatchObject({ taskId: data.backgroundTaskId, callId: context.callId, exitCode: 0 })
    expect(readFileSync(data.rawOutputPath ?? "", "utf8")).toBe("building\nbuilt\n")
    expect(await tasks((service) => service.moveToBackground(context.callId))).toBe(false)
  })
})

describe("TaskOutput", () => {
  const output = (input: Parameters<typeof taskOutputExecutor.run>[0]) =>
    harness.run(taskOutputExecutor.run(input, harness.context()))

  it("waits for the end", async () => {
    const { data } = await inBackground(`${whenSet("go")}; echo ready; exit 2`)
    const task_id = data.backgroundTaskId ?? ""
    const asked = output({ task_id })
    writeFileSync(flag("go"), "")
    const result = await asked
    expect(result.content).toMatch(/^Task b\w{8}: failed, exit code 2\nEnd of its output \(all of it: .*\):\nready$/)
    expect(result.data).toMatchObject({ retrieval_status: "success", task: { status: "failed", exitCode: 2 } })
  })

  it("does not wait when told so, and leaves the task running", async () => {
    const { data } = await inBackground("tail -f /dev/null")
    const task_id = data.backgroundTaskId ?? ""
    expect((await output({ task_id, block: false })).content).toBe(`Task ${task_id}: running\nIt has printed nothing.`)
    expect((await output({ task_id, timeout: 20 })).data).toMatchObject({ retrieval_status: "not_ready" })
  })

  it("lists the running tasks for an unknown id", async () => {
    const { data } = await inBackground("tail -f /dev/null")
    const refused = await harness.run(Effect.flip(taskOutputExecutor.run({ task_id: "nope" }, harness.context())))
    expect(refused.message).toBe(
      `TaskOutput: there is no task nope. Running tasks:\n- ${data.backgroundTaskId}: tail -f /dev/null`
    )
  })
})

describe("TaskStop", () => {
  const stop = (input: Parameters<typeof taskStopExecutor.run>[0]) => taskStopExecutor.run(input, harness.context())

  it("ends the task with its children and tells it once as killed", async () => {
    const { data } = await inBackground(`echo $$; sh -c 'sleep 1000 & sleep 1000' & wait`)
    const taskId = data.backgroundTaskId ?? ""
    await until("it has started", () => readFileSync(data.rawOutputPath ?? "", "utf8").endsWith("\n"))
    const group = Number(readFileSync(data.rawOutputPath ?? "", "utf8"))
    const result = await harness.run(stop({ shell_id: taskId }))
    expect(livingMembers(group)).toEqual([])
    expect(result.data).toMatchObject({ task_id: taskId, task_type: "local_bash" })
    expect(await nextNotice()).toMatchObject({ taskId, status: "killed" })
    expect(Option.isNone(await waitingNotice())).toBe(true)
    expect((await harness.run(Effect.flip(stop({ task_id: taskId })))).message).toContain("has already ended (killed")
  })

  it("refuses an unknown id", async () => {
    const refused = await harness.run(Effect.flip(stop({ task_id: "nope" })))
    expect(refused.message).toBe("TaskStop: there is no task nope. No task is running.")
  })
})

describe("shutdown", () => {
  it("lets tasks end within the grace and ends the others", async () => {
    const quick = await inBackground("sleep 0.05; exit 0")
    const server = await inBackground("echo $$; exec tail -f /dev/null")
    await until("the server runs", () => readFileSync(server.data.rawOutputPath ?? "", "utf8").endsWith("\n"))
    const group = Number(readFileSync(server.data.rawOutputPath ?? "", "utf8"))
    await tasks((service) => service.shutdown(200))
    expect(livingMembers(group)).toEqual([])
    const notices = [await nextNotice(), await nextNotice()]
    expect(notices.map(({ taskId, status }) => [taskId, status])).toEqual([
      [quick.data.backgroundTaskId, "completed"],
      [server.data.backgroundTaskId, "killed"]
    ])
  })

  it("returns at once when nothing runs", async () => {
    const started = performance.now()
    await tasks((service) => service.shutdown(5_000))
    expect(performance.now() - started).toBeLessThan(1_000)
  })
})

describe("task ids", () => {
  it("are a letter and eight base-36 characters, different each time", async () => {
    const ids = await tasks((service) => Effect.all(Array.from({ length: 100 }, () => service.newId)))
    expect(ids.every((id) => /^b[0-9a-z]{8}$/.test(id))).toBe(true)
    expect(new Set(ids).size).toBe(100)
  })
})
