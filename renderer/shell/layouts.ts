/** First layouts of the three workspaces; the person's own are kept beside them. */

import type { DockviewApi } from 'dockview-vue'
import { PANEL_TITLES, type PanelId } from '../state/panels'
import type { Workspace } from '../state/shell'

const STORAGE_KEY = 'cairn.layout.3.'

type Position = NonNullable<Parameters<DockviewApi['addPanel']>[0]['position']>

function add(api: DockviewApi, id: PanelId, position?: Position, size: { initialWidth?: number; initialHeight?: number } = {}) {
  return api.addPanel({ id, component: id, title: PANEL_TITLES[id], position, ...size })
}

function within(api: DockviewApi, beside: PanelId, ...ids: readonly PanelId[]) {
  for (const id of ids) api.addPanel({ id, component: id, title: PANEL_TITLES[id], position: { referencePanel: beside, direction: 'within' }, inactive: true })
}

export function buildLayout(api: DockviewApi, workspace: Workspace): void {
  api.clear()
  const width = api.width
  const side = Math.round(Math.min(300, Math.max(230, width * 0.22)))
  add(api, 'viewport')
  if (workspace === 'compose') {
    add(api, 'inspector', { referencePanel: 'viewport', direction: 'right' }, { initialWidth: side + 20 })
    within(api, 'inspector', 'materials', 'joints')
    add(api, 'outliner', { referencePanel: 'viewport', direction: 'left' }, { initialWidth: side - 40 })
    add(api, 'timeline', { referencePanel: 'viewport', direction: 'below' }, { initialHeight: 170 })
    within(api, 'timeline', 'problems', 'contacts')
  } else if (workspace === 'inspect') {
    add(api, 'contact', { referencePanel: 'viewport', direction: 'right' }, { initialWidth: side + 90 })
    within(api, 'contact', 'inspector', 'accuracy', 'runs')
    add(api, 'timeline', { referencePanel: 'viewport', direction: 'below' }, { initialHeight: 170 })
    within(api, 'timeline', 'problems')
    add(api, 'contacts', { referencePanel: 'contact', direction: 'below' }, { initialHeight: Math.round(api.height * 0.38) })
    within(api, 'contacts', 'plots', 'outliner')
  } else {
    add(api, 'script', { referencePanel: 'viewport', direction: 'left' }, { initialWidth: Math.round(width * 0.5) })
    add(api, 'timeline', { referencePanel: 'viewport', direction: 'below' }, { initialHeight: 170 })
    within(api, 'timeline', 'plots')
    add(api, 'problems', { referencePanel: 'script', direction: 'below' }, { initialHeight: 120 })
    within(api, 'problems', 'outliner', 'inspector')
  }
}

/** Restores the kept layout of a workspace, or builds the first one where there is none or it does not fit this version. */
export function showLayout(api: DockviewApi, workspace: Workspace): void {
  const kept = localStorage.getItem(STORAGE_KEY + workspace)
  if (kept !== null) {
    try {
      api.fromJSON(JSON.parse(kept) as Parameters<DockviewApi['fromJSON']>[0])
      if (api.panels.length > 0) return
    } catch {
      localStorage.removeItem(STORAGE_KEY + workspace)
    }
  }
  buildLayout(api, workspace)
}

export function keepLayout(api: DockviewApi, workspace: Workspace): void {
  try {
    localStorage.setItem(STORAGE_KEY + workspace, JSON.stringify(api.toJSON()))
  } catch {
    // No storage: the layout lasts as long as the window.
  }
}

export function forgetLayout(workspace: Workspace): void {
  localStorage.removeItem(STORAGE_KEY + workspace)
}
