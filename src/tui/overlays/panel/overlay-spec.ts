import type { Field } from "../../editor/field.ts"
import type { OverlayActionId } from "../../keymap/actions/action-tables.ts"
import type { ContextName } from "../../keymap/actions/context.ts"
import type { Press } from "../../model/action.ts"
import type { AppModel } from "../../model/app-model.ts"
import type { Overlay } from "../../model/overlay.ts"
import type { Update } from "../../model/update-result.ts"
import type { MeasuredPanel, Panel } from "./panel.ts"

/** An overlay on screen: with how much of it can be seen, which is found out when somebody asks. */
export interface AtOverlay<O extends Overlay> {
  readonly model: AppModel
  readonly overlay: O
  readonly placed: () => MeasuredPanel
}

/** A field that is typed into: letters and pastes are its text before they are keys. */
export interface OpenField {
  readonly value: Field
  readonly put: (next: Field) => AppModel
}

/** All that makes one kind of overlay. */
export interface OverlaySpec<O extends Overlay> {
  /** Where its keys are, the nearest first. */
  readonly contexts: (overlay: O) => ReadonlyArray<ContextName>
  readonly panel: (model: AppModel, overlay: O) => Panel
  /** How it is left. */
  readonly leave: OverlayActionId
  readonly field?: (model: AppModel, overlay: O) => OpenField | undefined
  /** Undefined where the action means nothing to it. */
  readonly act: (at: AtOverlay<O>, id: OverlayActionId, press: Press) => Update | undefined
  /** A click on the choice that stands under this key. */
  readonly choose?: (at: AtOverlay<O>, key: string) => Update | undefined
}

type Tag = Overlay["_tag"]

type Of<T extends Tag> = Extract<Overlay, { readonly _tag: T }>

/** The questions of the agent have no panel: they are docked. */
export type AnyOverlay = Omit<Required<OverlaySpec<Overlay>>, "panel"> & {
  readonly panel: (model: AppModel, overlay: Overlay) => Panel | undefined
}

/** The same for whoever knows only that it is an overlay. */
export const overlayOf = <T extends Tag>(tag: T, spec: OverlaySpec<Of<T>>): AnyOverlay => {
  const isOwn = (overlay: Overlay): overlay is Of<T> => overlay._tag === tag
  const own = <A>(overlay: Overlay, use: (own: Of<T>) => A): A => {
    if (!isOwn(overlay)) throw new Error(`a ${overlay._tag} is not a ${tag}`)
    return use(overlay)
  }
  return {
    contexts: (overlay) => own(overlay, spec.contexts),
    leave: spec.leave,
    panel: (model, overlay) => own(overlay, (each) => spec.panel(model, each)),
    field: (model, overlay) => own(overlay, (each) => spec.field?.(model, each)),
    act: (at, id, press) => own(at.overlay, (overlay) => spec.act({ ...at, overlay }, id, press)),
    choose: (at, key) => own(at.overlay, (overlay) => spec.choose?.({ ...at, overlay }, key))
  }
}
