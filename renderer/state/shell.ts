/** The window around the scene: workspaces, the open dialog, messages. Only the workspace and the layouts are stored. */

import { ref, shallowRef } from 'vue'
import { defineStore } from 'pinia'
import type { DockviewApi, IDockviewPanel } from 'dockview-vue'
import type { ConnectionState } from '../../main/protocol/host'
import type { PiecesDeviation } from '../../main/protocol/meshes'
import type { AheadStatus } from '../../main/protocol/runs'
import { plannedJoint } from './new-joint'
import { PANEL_TITLES, type PanelId } from './panels'

export type Workspace = 'compose' | 'inspect' | 'script'
export const WORKSPACE_LABELS: Readonly<Record<Workspace, string>> = {
  compose: 'Compose', inspect: 'Simulate & inspect', script: 'Script',
}

export type DialogName = 'palette' | 'export' | 'tables' | 'import' | 'film' | 'figure' | 'sweep' | 'shortcuts' | 'glossary' | 'about' | 'gallery' | 'templates' | 'template' | 'library' | 'hull' | 'lessons'

/** A card in the picture: a hint or a refusal that goes by itself, or an error, which stays until it is dismissed. */
export interface Message {
  readonly id: number
  readonly kind: 'info' | 'error'
  readonly text: string
  readonly action?: { readonly label: string; readonly run: () => void }
  /** Whether it leaves with the displayed scene. */
  readonly aboutRun: boolean
}

/** A question with possible answers, shown as a modal dialog. */
export interface Question {
  readonly title: string
  readonly text: string
  /** A picture below the text. */
  readonly deviation?: { readonly deviation: PiecesDeviation; readonly most: number } | undefined
  readonly answers: readonly { readonly id: string; readonly label: string; readonly primary?: boolean; readonly danger?: boolean }[]
}

/** Characters that are read in a second, and the shortest time of a message, s. */
const [READ_PER_SECOND, SHORTEST] = [12, 5]
/** Cards shown at once. */
const MOST_MESSAGES = 4

const FOCUSABLE = 'button:not(:disabled):not([tabindex="-1"]), input:not(:disabled), select:not(:disabled), textarea, canvas[tabindex="0"], [tabindex="0"]'

/** px: minimum useful width of the viewport and of a table of results. */
const MIN_HALF_WIDTH = 380

export const useShell = defineStore('shell', () => {
  const workspace = ref<Workspace>('compose')
  const dialog = ref<DialogName | null>(null)
  /** Initial text of the command palette. */
  const paletteFilter = ref('')
  const question = shallowRef<Question | null>(null)
  const messages = shallowRef<readonly Message[]>([])
  /** What was done last: one line in the status bar. */
  const done = shallowRef<{ readonly id: number; readonly text: string } | null>(null)
  const connection = ref<ConnectionState>('connected')
  /** An example that the engine records while nothing else runs. */
  const recordingAhead = shallowRef<AheadStatus | null>(null)
  const dock = shallowRef<DockviewApi | null>(null)
  /** Element that contains the viewport; null if no panel shows it. */
  const viewportSlot = shallowRef<HTMLElement | null>(null)
  /** Increases when the current workspace's layout is to be reset. */
  const layoutReset = ref(0)
  let nextMessage = 1
  let answerQuestion: ((answer: string | null) => void) | null = null

  /** Shows a card, in place of one that says the same. Without an action a hint also takes the place of the hint before it. */
  function notify(text: string, options: { kind?: Message['kind']; action?: Message['action']; seconds?: number; aboutRun?: boolean } = {}) {
    const { kind = 'info', action, seconds = timeToRead(text), aboutRun = false } = options
    const id = nextMessage++
    const isReplaced = (one: Message) => one.text === text || (kind === 'info' && !action && one.kind === 'info' && !one.action)
    messages.value = [...messages.value.filter(one => !isReplaced(one)).slice(1 - MOST_MESSAGES), { id, kind, text, action, aboutRun }]
    if (kind !== 'error') afterShown(seconds, () => dismiss(id))
  }
  /** Confirms in the status bar that something was done as asked, in place of the confirmation before. */
  function confirm(text: string) {
    const id = nextMessage++
    done.value = { id, text }
    afterShown(timeToRead(text), () => { if (done.value?.id === id) done.value = null })
  }
  function dismiss(id: number) {
    messages.value = messages.value.filter(message => message.id !== id)
  }

  /** When another scene is opened. */
  function dismissAboutRun() {
    messages.value = messages.value.filter(message => !message.aboutRun)
  }

  /** Resolves to the id of the chosen answer, or null if dismissed. */
  function ask(next: Question): Promise<string | null> {
    answer(null)
    question.value = next
    return new Promise(resolve => { answerQuestion = resolve })
  }
  function answer(id: string | null) {
    const resolve = answerQuestion
    answerQuestion = null
    question.value = null
    resolve?.(id)
  }

  function switchWorkspace(next: Workspace) { workspace.value = next }
  function resetLayout() { layoutReset.value++ }

  /** Brings a panel to the front if `covering` hides it. Does nothing if it is elsewhere or closed. */
  function uncover(id: PanelId, covering: PanelId) {
    const panel = dock.value?.getPanel(id)
    if (panel?.group.activePanel?.id === covering) panel.api.setActive()
  }

  /**
   * Fixes the widths of the groups left of a panel, then sets the panel's. From left to right, since the dock gives remaining width to the
   * last group.
   */
  function widthsUpTo(panel: IDockviewPanel, width: number): (() => void)[] {
    const leftOf = ({ element }: { readonly element: HTMLElement }) => element.getBoundingClientRect().left
    const before = (dock.value?.groups ?? []).filter(group => leftOf(group) < leftOf(panel.group)).sort((a, b) => leftOf(a) - leftOf(b))
      .map(group => [group, group.width] as const)
    return [...before.map(([group, own]) => () => group.api.setSize({ width: own })), () => panel.api.setSize({ width })]
  }

  /** After something was added while composing: its fields, unless it is added in the course of something else. */
  function showNew() {
    if (workspace.value === 'compose' && plannedJoint.value === null) openPanel('inspector')
  }

  /** Brings a panel to the front, adding it if it was closed. */
  function openPanel(id: PanelId) {
    const api = dock.value
    if (!api) return
    const present = api.getPanel(id)
    if (present) {
      present.api.setActive()
      return
    }
    // Results open beside the viewport if there is room for both, since a click on a result shows its run.
    const viewport = id === 'sweeps' ? api.getPanel('viewport') : undefined
    if (viewport && viewport.api.width >= 2 * MIN_HALF_WIDTH) {
      const { width } = viewport.api
      const widths = widthsUpTo(viewport, Math.round(width / 2))
      const panel = api.addPanel({ id, component: id, title: PANEL_TITLES[id], position: { referencePanel: viewport, direction: 'right' } })
      // The room is taken from the viewport alone.
      for (const set of widths) set()
      panel.api.setSize({ width: Math.round(width / 2) })
      return
    }
    const beside = id === 'viewport' ? undefined : api.getPanel('inspector') ?? api.getPanel('timeline') ?? api.panels[0]
    api.addPanel({
      id, component: id, title: PANEL_TITLES[id], position: beside ? { referencePanel: beside, direction: 'within' } : undefined,
    })
  }

  const topOf = ({ element }: { readonly element: HTMLElement }) => element.getBoundingClientRect().top

  /** In a window that has become narrow, moves results from beside the viewport to the other panels, behind the visible one. */
  function makeRoom() {
    const api = dock.value
    const [viewport, sweeps, inspector] = (['viewport', 'sweeps', 'inspector'] as const).map(id => api?.getPanel(id))
    if (!api || !viewport || !sweeps || !inspector || viewport.api.width >= MIN_HALF_WIDTH) return
    if (sweeps.group.panels.length > 1 || topOf(sweeps.group) !== topOf(viewport.group)) return
    const widths = widthsUpTo(viewport, viewport.api.width + sweeps.api.width)
    sweeps.api.moveTo({ group: inspector.group, skipSetActive: true })
    for (const set of widths) set()
  }

  /** Moves the focus to the next or previous group of panels, including toolbar and menus. */
  function moveFocus(direction: 1 | -1) {
    const groups = [...window.document.querySelectorAll<HTMLElement>('.toolbar, .dv-groupview')]
    const present = groups.findIndex(group => group.contains(window.document.activeElement))
    const next = groups[(present + direction + groups.length) % groups.length]
    const inside = next?.querySelector<HTMLElement>(`.dv-content-container :is(${FOCUSABLE})`) ?? next?.querySelector<HTMLElement>(`:is(${FOCUSABLE})`)
    inside?.focus()
    const panel = dock.value?.groups.find(group => group.element === next)?.activePanel
    panel?.api.setActive()
    inside?.focus()
  }

  return {
    workspace, dialog, paletteFilter, question, messages, done, connection, recordingAhead, dock, viewportSlot, layoutReset,
    notify, confirm, dismiss, dismissAboutRun, ask, answer, switchWorkspace, resetLayout, openPanel, showNew, makeRoom, uncover, moveFocus,
  }
})

/** Counts from the next picture: a busy or hidden page would show a message too late to be read. */
function afterShown(seconds: number, then: () => void): void {
  requestAnimationFrame(() => setTimeout(then, seconds * 1000))
}

/** s: how long a message that goes by itself is shown. */
function timeToRead(text: string): number {
  return Math.max(SHORTEST, text.length / READ_PER_SECOND)
}
