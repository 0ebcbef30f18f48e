import { frame, type Reply, type Step, text, write } from "./messages-reply.ts"

/** Faults and manners of delivery: functions from reply to reply. Events are counted from 0. */
const withSteps =
  (reply: Reply, change: (steps: ReadonlyArray<Step>) => ReadonlyArray<Step>): Reply =>
  (context) => {
    const plan = reply(context)
    return { ...plan, steps: change(plan.steps) }
  }

/** The event list with something in place of the rest: counts events from 0, a negative count from the end. */
const endingAfter =
  (count: number, ending: ReadonlyArray<Step>) =>
  (reply: Reply): Reply =>
    withSteps(reply, (steps) => [...steps.slice(0, count), ...ending])

export const cutAfter = (count: number, reply: Reply): Reply => endingAfter(count, [{ type: "cut" }])(reply)

/** Ends the response in good order, but before its last events. */
export const endAfter = (count: number, reply: Reply): Reply => endingAfter(count, [])(reply)

export const stallAfter = (count: number, reply: Reply): Reply => endingAfter(count, [{ type: "hold" }])(reply)

export const errorAfter = (count: number, reply: Reply, error: { readonly type: string; readonly message: string }): Reply =>
  endingAfter(count, [write(frame({ type: "error", error }))])(reply)

export const garbageAfter = (count: number, reply: Reply, bytes: string | Uint8Array): Reply =>
  endingAfter(count, [write(bytes)])(reply)

/** Cuts in the middle of the bytes of one event. */
export const cutInside = (event: number, reply: Reply): Reply =>
  withSteps(reply, (steps) => {
    const step = steps[event]
    const half = step?.type === "write" ? step.bytes.slice(0, Math.floor(step.bytes.length / 2)) : ""
    return [...steps.slice(0, event), write(half), { type: "cut" }]
  })

/** Never answers at all, not even with a status. */
export const silent = (): Reply => gatedHead(new Promise(() => {}), text("never sent"))

export const gatedHead =
  (until: Promise<unknown>, reply: Reply): Reply =>
  (context) => ({ ...reply(context), before: until })

/** Waits before the event with this number. */
export const gatedAt = (event: number, until: Promise<unknown>, reply: Reply): Reply =>
  withSteps(reply, (steps) => [...steps.slice(0, event), { type: "wait", until }, ...steps.slice(event)])

export const duplicated = (reply: Reply): Reply => withSteps(reply, (steps) => steps.flatMap((step) => [step, step]))

/** A ping before every event. */
export const pinged = (reply: Reply): Reply =>
  withSteps(reply, (steps) => steps.flatMap((step) => [write(frame({ type: "ping" })), step]))

const bytesOf = (step: Step): Uint8Array => {
  if (step.type !== "write") return new Uint8Array()
  return typeof step.bytes === "string" ? new TextEncoder().encode(step.bytes) : step.bytes
}

/** Every byte in its own packet, or so many as asked for. */
export const trickled = (reply: Reply, bytesPerWrite = 1): Reply =>
  withSteps(reply, (steps) =>
    steps.flatMap((step) => {
      const bytes = bytesOf(step)
      if (bytes.length === 0) return [step]
      return Array.from({ length: Math.ceil(bytes.length / bytesPerWrite) }, (_, index) =>
        write(bytes.slice(index * bytesPerWrite, (index + 1) * bytesPerWrite))
      )
    })
  )

const COALESCED_CHARS = 16 * 1024

/** As few writes as possible, for measuring the client and not the server. */
export const coalesced = (reply: Reply): Reply =>
  withSteps(reply, (steps) => {
    const merged: Array<Step> = []
    let pending = ""
    const flush = (): void => {
      if (pending !== "") merged.push(write(pending))
      pending = ""
    }
    for (const step of steps) {
      const joins = step.type === "write" && typeof step.bytes === "string"
      if (joins) pending += step.bytes
      if (!joins || pending.length >= COALESCED_CHARS) flush()
      if (!joins) merged.push(step)
    }
    flush()
    return merged
  })
