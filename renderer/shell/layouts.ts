/** Default layouts of the three workspaces, for large and small windows; the user's changes are stored separately. */

import type { DockviewApi } from 'dockview-vue'
import { PANEL_TITLES, type PanelId } from '../state/panels'
import type { Workspace } from '../state/shell'

const STORAGE_KEY = 'cairn.layout.3.'
/** px: dock height below which panels share places: 1024 × 700, and any screen at 200 %. */
const LOW = 620
const NARROW = 800
/** px: of the timeline with its buttons, so that its lanes stay readable when the window becomes lower. */
const LEAST_TIMELINE = 136

/** Size class of a window: panels around the picture, or one column beside it. */
export type Room = 'large' | 'small'
export const roomOf = ({ width, height }: Pick<DockviewApi, 'width' | 'height'>): Room => height < LOW || width < NARROW ? 'small' : 'large'

type Direction = 'left' | 'right' | 'below'

/** Panels that share one place, the first in front. */
function place(api: DockviewApi, ids: readonly [PanelId, ...PanelId[]], beside: PanelId, direction: Direction) {
  const [front, ...behind] = ids
  api.addPanel({ id: front, component: front, title: PANEL_TITLES[front], position: { referencePanel: beside, direction } })
  for (const id of behind) {
    api.addPanel({ id, component: id, title: PANEL_TITLES[id], position: { referencePanel: front, direction: 'within' }, inactive: true })
  }
}

/** Sizes are set after all panels have been added, since each new panel takes part of the others' size. */
function size(api: DockviewApi, sizes: Partial<Record<PanelId, { width?: number; height?: number }>>) {
  for (const [id, wanted] of Object.entries(sizes)) api.getPanel(id)?.api.setSize(wanted)
}

const between = (least: number, wanted: number, most: number) => Math.round(Math.max(least, Math.min(most, wanted)))

export function buildLayout(api: DockviewApi, workspace: Workspace): void {
  api.clear()
  const { width, height } = api
  const low = height < LOW
  const timeline = { height: low ? between(LEAST_TIMELINE, height * 0.24, 150) : between(150, height * 0.26, 206) }
  api.addPanel({ id: 'viewport', component: 'viewport', title: PANEL_TITLES.viewport })
  if (roomOf(api) === 'small') {
    // Panels beside the picture share one place, so that each has the full height.
    const beside: Readonly<Record<Workspace, readonly [PanelId, ...PanelId[]]>> = {
      compose: ['inspector', 'outliner', 'materials', 'joints', 'arrange', 'parameters'], inspect: ['contacts', 'contact', 'events', 'plots', 'inspector', 'accuracy', 'runs', 'outliner'],
      script: ['script', 'outliner', 'inspector'],
    }
    place(api, workspace === 'compose' ? ['timeline', 'problems', 'contacts'] : workspace === 'inspect' ? ['timeline', 'problems', 'branches'] : ['timeline', 'problems', 'plots'], 'viewport', 'below')
    place(api, beside[workspace], 'viewport', 'right')
    size(api, { timeline, [beside[workspace][0]]: { width: between(220, width * (workspace === 'compose' ? 0.3 : 0.42), 460) } })
    api.getPanel('viewport')?.api.setActive()
    return
  }
  if (workspace === 'compose') {
    place(api, ['timeline', 'problems', 'contacts'], 'viewport', 'below')
    place(api, ['outliner'], 'viewport', 'left')
    place(api, ['inspector', 'materials', 'joints', 'arrange', 'parameters'], 'viewport', 'right')
    size(api, { timeline, outliner: { width: between(170, width * 0.16, 240) }, inspector: { width: between(260, width * 0.26, 380) } })
  } else if (workspace === 'inspect') {
    place(api, ['timeline', 'problems'], 'viewport', 'below')
    place(api, ['contact', 'inspector', 'accuracy', 'runs', 'branches'], 'viewport', 'right')
    place(api, ['contacts', 'events', 'plots', 'outliner'], 'contact', 'below')
    size(api, { timeline, contact: { width: between(330, width * 0.365, 540) }, contacts: { height: between(150, height * 0.3, 440) } })
  } else {
    place(api, ['timeline', 'plots'], 'viewport', 'below')
    place(api, ['script'], 'viewport', 'left')
    place(api, ['problems', 'outliner', 'inspector'], 'script', 'below')
    size(api, { timeline, script: { width: between(380, width * 0.5, 900) }, problems: { height: between(90, height * 0.18, 160) } })
  }
  api.getPanel('viewport')?.api.setActive()
}

const keyOf = (workspace: Workspace, room: Room) => `${STORAGE_KEY}${room}.${workspace}`

/** Restores the stored layout of a workspace. Builds the default one if there is none or it does not fit this version. */
export function showLayout(api: DockviewApi, workspace: Workspace): void {
  restoreOrBuild(api, workspace)
  api.getPanel('timeline')?.group.api.setConstraints({ minimumHeight: LEAST_TIMELINE })
}

function restoreOrBuild(api: DockviewApi, workspace: Workspace): void {
  const key = keyOf(workspace, roomOf(api))
  const kept = localStorage.getItem(key)
  if (kept !== null) {
    try {
      api.fromJSON(JSON.parse(kept) as Parameters<DockviewApi['fromJSON']>[0])
      if (api.panels.length > 0) return
    } catch {
      localStorage.removeItem(key)
    }
  }
  buildLayout(api, workspace)
}

/** Switches to the layout of another size class; keeps the open panels and the visible ones. */
export function changeRoom(api: DockviewApi, workspace: Workspace, open: (id: PanelId) => void): void {
  const before = api.panels.map(({ id }) => id as PanelId)
  const inFront = api.groups.flatMap(({ activePanel }) => activePanel ? [activePanel.id as PanelId] : [])
  const focused = api.activePanel?.id as PanelId | undefined
  showLayout(api, workspace)
  for (const id of before) if (!api.getPanel(id)) open(id)
  // Where panels come to share a place, the timeline stays in front of what lay elsewhere.
  const order = [...inFront.filter(id => id !== 'timeline'), ...inFront.includes('timeline') ? ['timeline' as const] : [], ...focused ? [focused] : []]
  for (const id of order) api.getPanel(id)?.api.setActive()
}

export function keepLayout(api: DockviewApi, workspace: Workspace, room: Room): void {
  try {
    localStorage.setItem(keyOf(workspace, room), JSON.stringify(api.toJSON()))
  } catch {
    // No storage: the layout is kept until the window is closed.
  }
}

export function forgetLayout(workspace: Workspace, room: Room): void {
  localStorage.removeItem(keyOf(workspace, room))
}
