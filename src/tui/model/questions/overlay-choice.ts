/**
 * Which of all that wants the user's attention is drawn. A plain function of everything that waits:
 * the order of arrival decides only among equals.
 */

export const OVERLAY_KINDS = [
  "exit",
  "trust",
  "selector",
  /** Opened over a question to read or to choose something: the question is there again after it. */
  "over",
  "sandbox",
  "permission",
  "worker",
  "question",
  "elicitation",
  "cost",
  "opened",
  "onboarding"
] as const

export type OverlayKind = (typeof OVERLAY_KINDS)[number]

export interface OverlayRequest {
  readonly id: string
  readonly kind: OverlayKind
}

const rankOf = ({ kind }: OverlayRequest): number => OVERLAY_KINDS.indexOf(kind)

/** Requests that come by themselves; they wait until the user's hands are still. */
const FROM_AGENT: ReadonlySet<OverlayKind> = new Set<OverlayKind>([
  "trust",
  "sandbox",
  "permission",
  "worker",
  "question",
  "elicitation"
])

export const comesFromAgent = ({ kind }: OverlayRequest): boolean => FROM_AGENT.has(kind)

export interface Attention {
  /** In order of arrival. */
  readonly requests: ReadonlyArray<OverlayRequest>
  /** The overlay on screen now. */
  readonly shown: string | undefined
  /** The user typed a moment ago, into the prompt or an overlay. */
  readonly isTyping: boolean
  /** The list of what waits has the keyboard: the user chooses from it. */
  readonly isChoosing: boolean
  /** The user asked for what waits. */
  readonly summoned: boolean
}

/** The request to draw. One that was drawn already stays unless something more important may take its place. */
export const chooseOverlay = ({
  requests,
  shown,
  isTyping,
  isChoosing,
  summoned
}: Attention): OverlayRequest | undefined => {
  const current = requests.find(({ id }) => id === shown)
  const mayOpen = (request: OverlayRequest): boolean =>
    request === current || summoned || !(isTyping || isChoosing) || !comesFromAgent(request)
  return requests.filter(mayOpen).reduce<OverlayRequest | undefined>((best, each) => {
    if (best === undefined || rankOf(each) < rankOf(best)) return each
    return rankOf(each) === rankOf(best) && each === current ? each : best
  }, undefined)
}

/** How many of the agent's requests wait unseen. */
export const waitingCount = (attention: Attention): number => {
  const chosen = chooseOverlay(attention)
  return attention.requests.filter((each) => comesFromAgent(each) && each !== chosen).length
}
