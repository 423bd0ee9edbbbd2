/** How a scene is displayed, as plain data gathered from the stores. */

import { useContactFilter } from '../state/contact-filter'
import { useLive } from '../state/live'
import { usePlayback } from '../state/playback'
import { useProblems } from '../state/problems'
import { useSelection, type SelectedShape } from '../state/selection'
import { useVertices } from '../state/vertices'
import type { PaintedStiffness } from '../modelling/vertices-edit'
import { useView, type ActionSide, type Colouring, type DeformableColouring, type Overlays } from '../state/view'
import { contactIndex } from './displayed-data'
import type { Hurry } from './engine'

export interface ViewState {
  readonly overlays: Overlays
  readonly arrowScale: number
  readonly xray: boolean
  readonly actionSide: ActionSide
  readonly colouring: Colouring
  readonly deformableColouring: DeformableColouring
  /** Cloth whose stiffness is painted, which is shown instead. */
  readonly painted: { readonly id: string; readonly what: PaintedStiffness } | null
  readonly hidden: ReadonlySet<string>
  readonly locked: ReadonlySet<string>
  readonly selected: ReadonlySet<string>
  readonly hovered: string | null
  readonly selectedShape: SelectedShape | null
  /** Bodies that overlap at t = 0. */
  readonly trouble: ReadonlySet<string>
  /** Bodies that are asleep in time-stepping: drawn muted. */
  readonly asleep: ReadonlySet<string>
  /** Index in the contact frame; −1 for none. */
  readonly selectedContact: number
  readonly hoveredContact: number
  readonly stale: boolean
}

/** The view state from the stores. */
export function currentViewState(): ViewState {
  const [viewStore, selection, playback, contactFilter, vertices] = [useView(), useSelection(), usePlayback(), useContactFilter(), useVertices()]
  // Indices refer to the displayed frame, from which the filter may have removed contacts.
  const { contacts: touching } = playback.picture
  const contacts = touching && contactFilter.of(touching)
  return {
    overlays: { ...viewStore.overlays }, arrowScale: viewStore.arrowScale, xray: viewStore.xray, actionSide: viewStore.actionSide,
    colouring: viewStore.colouring, deformableColouring: viewStore.deformableColouring,
    painted: vertices.of !== null && vertices.tool === 'paint' ? { id: vertices.of, what: vertices.paints } : null, hidden: viewStore.hidden, locked: viewStore.locked,
    selected: selection.idSet, hovered: selection.hovered,
    selectedShape: selection.shape, trouble: useProblems().overlapping, asleep: playback.asleep, stale: playback.stale && playback.showsRun,
    selectedContact: contactIndex(contacts, selection.contact, playback.shownScene),
    hoveredContact: contactIndex(contacts, selection.hoveredContact, playback.shownScene),
  }
}

/** How urgently the next picture is needed. */
export function currentHurry(): Hurry {
  const [live, playback] = [useLive(), usePlayback()]
  if (live.run !== null) return live.dragged ? 'held' : 'session'
  return playback.scrubbing ? 'held' : playback.playing ? 'session' : 'rest'
}
