/** The window around the scene: workspaces, which dialog is open, messages. Ephemeral, but for the workspace and the layouts. */

import { ref, shallowRef } from 'vue'
import { defineStore } from 'pinia'
import type { DockviewApi, IDockviewPanel } from 'dockview-vue'
import type { ConnectionState } from '../../main/protocol/host'
import { PANEL_TITLES, type PanelId } from './panels'

export type Workspace = 'compose' | 'inspect' | 'script'
export const WORKSPACE_LABELS: Readonly<Record<Workspace, string>> = {
  compose: 'Compose', inspect: 'Simulate & inspect', script: 'Script',
}

export type DialogName = 'palette' | 'export' | 'import' | 'film' | 'figure' | 'sweep' | 'shortcuts' | 'glossary' | 'about' | 'gallery' | 'templates' | 'template' | 'library' | 'hull' | 'lessons'

export interface Message {
  readonly id: number
  readonly kind: 'info' | 'error'
  readonly text: string
  readonly action?: { readonly label: string; readonly run: () => void }
}

/** A question with answers, shown as a modal dialog. */
export interface Question {
  readonly title: string
  readonly text: string
  readonly answers: readonly { readonly id: string; readonly label: string; readonly primary?: boolean; readonly danger?: boolean }[]
}

const FOCUSABLE = 'button:not(:disabled):not([tabindex="-1"]), input:not(:disabled), select:not(:disabled), textarea, canvas[tabindex="0"], [tabindex="0"]'

/** px: a picture, or a table of results, in less shows too little. */
const LEAST_HALF = 380

export const useShell = defineStore('shell', () => {
  const workspace = ref<Workspace>('compose')
  const dialog = ref<DialogName | null>(null)
  /** What the palette starts with. */
  const paletteFilter = ref('')
  const question = shallowRef<Question | null>(null)
  const messages = shallowRef<readonly Message[]>([])
  const connection = ref<ConnectionState>('connected')
  const dock = shallowRef<DockviewApi | null>(null)
  /** Where the viewport is put: the panel's element, or null while no panel shows it. */
  const viewportSlot = shallowRef<HTMLElement | null>(null)
  /** Increases when the present workspace is to be laid out as at first. */
  const layoutReset = ref(0)
  let nextMessage = 1
  let answerQuestion: ((answer: string | null) => void) | null = null

  function say(text: string, options: { kind?: Message['kind']; action?: Message['action']; seconds?: number } = {}) {
    const { kind = 'info', action, seconds = kind === 'error' ? 12 : 5 } = options
    const id = nextMessage++
    messages.value = [...messages.value.slice(-3), { id, kind, text, action }]
    setTimeout(() => dismiss(id), seconds * 1000)
  }
  function dismiss(id: number) {
    messages.value = messages.value.filter(message => message.id !== id)
  }

  /** The chosen answer's id; null when dismissed. */
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

  /** Puts a panel in front of another that covers it; elsewhere, or closed, it stays. */
  function uncover(id: PanelId, covering: PanelId) {
    const panel = dock.value?.getPanel(id)
    if (panel?.group.activePanel?.id === covering) panel.api.setActive()
  }

  /** Sets the widths that groups left of a panel have now, then the panel's: from left to right, since what a width leaves goes to the last group. */
  function widthsUpTo(panel: IDockviewPanel, width: number): (() => void)[] {
    const leftOf = ({ element }: { readonly element: HTMLElement }) => element.getBoundingClientRect().left
    const before = (dock.value?.groups ?? []).filter(group => leftOf(group) < leftOf(panel.group)).sort((a, b) => leftOf(a) - leftOf(b))
      .map(group => [group, group.width] as const)
    return [...before.map(([group, own]) => () => group.api.setSize({ width: own })), () => panel.api.setSize({ width })]
  }

  /** Brings a panel to the front, adding it where it was closed. */
  function openPanel(id: PanelId) {
    const api = dock.value
    if (!api) return
    const present = api.getPanel(id)
    if (present) {
      present.api.setActive()
      return
    }
    // Results are looked at beside the run that a click opens, where both have room.
    const viewport = id === 'sweeps' ? api.getPanel('viewport') : undefined
    if (viewport && viewport.api.width >= 2 * LEAST_HALF) {
      const { width } = viewport.api
      const widths = widthsUpTo(viewport, Math.round(width / 2))
      const panel = api.addPanel({ id, component: id, title: PANEL_TITLES[id], position: { referencePanel: viewport, direction: 'right' } })
      // It takes its room from the viewport alone.
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

  /** In a window that has become narrow, results that lie beside the picture go among the other panels, behind what is in front there. */
  function makeRoom() {
    const api = dock.value
    const [viewport, sweeps, inspector] = (['viewport', 'sweeps', 'inspector'] as const).map(id => api?.getPanel(id))
    if (!api || !viewport || !sweeps || !inspector || viewport.api.width >= LEAST_HALF) return
    if (sweeps.group.panels.length > 1 || topOf(sweeps.group) !== topOf(viewport.group)) return
    const widths = widthsUpTo(viewport, viewport.api.width + sweeps.api.width)
    sweeps.api.moveTo({ group: inspector.group, skipSetActive: true })
    for (const set of widths) set()
  }

  /** Brings the next or previous group of panels to the keyboard, toolbar and menus among them. */
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
    workspace, dialog, paletteFilter, question, messages, connection, dock, viewportSlot, layoutReset,
    say, dismiss, ask, answer, switchWorkspace, resetLayout, openPanel, makeRoom, uncover, moveFocus,
  }
})
