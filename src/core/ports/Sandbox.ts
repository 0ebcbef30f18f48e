import type { HostContact, NetworkPolicy } from "../sandbox/network.ts"
import { Context, Data, type Effect } from "effect"
import type { SandboxAvailability } from "../sandbox/availability.ts"
import type { SandboxPlan } from "../sandbox/plan.ts"
import type { SandboxRequest } from "../sandbox/guarded-paths.ts"
import type { SandboxSettings } from "../sandbox/settings.ts"
import type { Confinement } from "./Process.ts"

/** A command could not be confined. The message says why, and the one thing to do about it. */
export class SandboxFailure extends Data.TaggedError("SandboxFailure")<{ readonly message: string }> {}

export interface ConfineRequest extends Omit<SandboxRequest, "tempDir"> {
  readonly cwd: string
  /** Single files that the command may write wherever they are. */
  readonly writableFiles: ReadonlyArray<string>
  readonly door?: NetworkDoor
}

/** How a running command's wishes for hosts are decided. Without one the lists of the start are all there is. */
export interface NetworkDoor {
  /** The lists of this moment: a rule that is saved while the command runs counts at once. */
  readonly policy: () => NetworkPolicy
  /** Asks about a host that no list names, while the connection waits. Undefined when it may be made, else why not. */
  readonly ask: (wanted: HostRequest) => Promise<string | undefined>
}

export interface HostRequest {
  readonly host: string
  readonly port: number
  /** Fires when nobody waits for the answer any more. */
  readonly gone: AbortSignal
}

export interface Confined {
  readonly plan: SandboxPlan
  readonly confinement: Confinement
  /** Hosts the command asked for so far, in the order of the requests. */
  readonly contacts: () => ReadonlyArray<HostContact>
}

/** Confines commands with what the system offers: bubblewrap on Linux, seatbelt on macOS. */
export class Sandbox extends Context.Service<
  Sandbox,
  {
    readonly availability: (
      settings: Pick<SandboxSettings, "bwrapPath" | "enableWeakerNestedSandbox">
    ) => Effect.Effect<SandboxAvailability>
    /** Looks at the file system anew, so that what came to exist since the last command is protected too. */
    readonly confine: (request: ConfineRequest) => Effect.Effect<Confined, SandboxFailure>
  }
>()("nacre/ports/Sandbox") {}
