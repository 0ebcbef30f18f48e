/** Short messages for the user, one at a time. Time arrives from outside. */

export type NoticePriority = "immediate" | "high" | "medium" | "low"

export interface Notice {
  readonly key: string
  readonly text: string
  readonly priority: NoticePriority
  readonly style?: "plain" | "success" | "warning" | "error"
  readonly timeoutMs?: number
  /** Keys of notices that this one makes untrue. */
  readonly invalidates?: ReadonlyArray<string>
}

interface Shown {
  readonly notice: Notice
  readonly until: number
}

export interface Notices {
  readonly current: Shown | undefined
  readonly queue: ReadonlyArray<Notice>
  /** Everything ever shown, newest last, for `:messages`. */
  readonly past: ReadonlyArray<{ readonly at: number; readonly notice: Notice }>
}

export const NO_NOTICES: Notices = { current: undefined, queue: [], past: [] }

const DEFAULT_MS = 8_000
const KEPT = 200
/** More cannot wait: with a few seconds for each, the last would come when nobody remembers what it is about. */
const MOST_WAITING = 100
const RANK: Readonly<Record<NoticePriority, number>> = { immediate: 0, high: 1, medium: 2, low: 3 }

const show = (notices: Notices, notice: Notice, now: number): Notices => ({
  ...notices,
  current: { notice, until: now + (notice.timeoutMs ?? DEFAULT_MS) },
  past: [...notices.past.slice(1 - KEPT), { at: now, notice }]
})

/** The most urgent waiting notice, the oldest among equals. */
const showNext = (notices: Notices, now: number): Notices => {
  const best = notices.queue.reduce<Notice | undefined>(
    (winner, each) => (winner === undefined || RANK[each.priority] < RANK[winner.priority] ? each : winner),
    undefined
  )
  if (best === undefined) return { ...notices, current: undefined }
  return show({ ...notices, queue: notices.queue.filter((each) => each !== best) }, best, now)
}

export const addNotice = (notices: Notices, notice: Notice, now: number): Notices => {
  const untrue = new Set(notice.invalidates ?? [])
  const queue = notices.queue.filter(({ key }) => !untrue.has(key))
  const current = notices.current !== undefined && untrue.has(notices.current.notice.key) ? undefined : notices.current
  const cleared = { ...notices, current, queue }
  if (notice.priority === "immediate") {
    const returns = current !== undefined && current.notice.priority !== "immediate" && current.notice.key !== notice.key
    const waiting = queue.filter(({ key }) => key !== notice.key)
    return show({ ...cleared, queue: returns ? [current.notice, ...waiting] : waiting }, notice, now)
  }
  const isKnown = current?.notice.key === notice.key || queue.some(({ key }) => key === notice.key)
  if (isKnown) return cleared
  return current === undefined ? show(cleared, notice, now) : waitsIn(cleared, notice, now)
}

/** The oldest of the least urgent makes room; it is not shown, `:messages` still has it. */
const waitsIn = (notices: Notices, notice: Notice, now: number): Notices => {
  const queue = [...notices.queue, notice]
  if (queue.length <= MOST_WAITING) return { ...notices, queue }
  const least = Math.max(...queue.map(({ priority }) => RANK[priority]))
  const passed = queue.find(({ priority }) => RANK[priority] === least) ?? notice
  const past = [...notices.past.slice(1 - KEPT), { at: now, notice: passed }]
  return { ...notices, queue: queue.filter((each) => each !== passed), past }
}

export const removeNotice = (notices: Notices, key: string, now: number): Notices => {
  const queue = notices.queue.filter((each) => each.key !== key)
  if (notices.current?.notice.key !== key) {
    return queue.length === notices.queue.length ? notices : { ...notices, queue }
  }
  return showNext({ ...notices, queue }, now)
}

/** Takes away what has been on screen long enough. */
export const expireNotices = (notices: Notices, now: number): Notices =>
  notices.current === undefined || now < notices.current.until ? notices : showNext(notices, now)
