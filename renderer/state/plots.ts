/** Plots of the current run: each a list of quantities, read whole from the engine and again when the run has grown to its end. */

import { ref, shallowRef, watch } from 'vue'
import { defineStore } from 'pinia'
import type { Series, SeriesRequest } from '../../main/protocol/runs'
import { useComparison } from './comparison'
import { useDocument } from './document'
import { nameOf } from './editing'
import { useHost } from './host'
import { forPeople } from './plotted-series'
import { useRuns } from './runs'
import { useShell } from './shell'

export interface Plot {
  readonly id: number
  readonly title: string
  readonly requests: readonly SeriesRequest[]
}

export const ENERGY_PLOT: readonly SeriesRequest[] = [
  { what: 'energy', quantity: 'kinetic' }, { what: 'energy', quantity: 'potential' }, { what: 'energy', quantity: 'total' },
]
export const ACCURACY_PLOT: readonly SeriesRequest[] = [
  { what: 'certificate', quantity: 'maxPenetration' }, { what: 'certificate', quantity: 'maxJointError' },
]

/** A curve of a plot: of which of its quantities, and whether it is the compared run's. */
export interface PlottedSeries extends Series {
  readonly request: number
  readonly other: boolean
}

export const RESIDUAL_PLOT: readonly SeriesRequest[] = [{ what: 'certificate', quantity: 'maxComplementarity' }]

export const usePlots = defineStore('plots', () => {
  const runs = useRuns()
  const shell = useShell()
  const comparison = useComparison()
  const document = useDocument()
  const plots = shallowRef<readonly Plot[]>([])
  const data = shallowRef<ReadonlyMap<number, readonly PlottedSeries[]>>(new Map())
  const errors = shallowRef<ReadonlyMap<number, string>>(new Map())
  const active = ref<number | null>(null)
  let nextId = 1

  /** Adds a quantity to the active plot, or opens a new one; shows the panel. */
  function add(request: SeriesRequest, options: { fresh?: boolean } = {}) {
    const target = options.fresh ? undefined : plots.value.find(plot => plot.id === active.value)
    if (!target) return open(titleOfRequest(request), [request])
    if (!target.requests.some(one => JSON.stringify(one) === JSON.stringify(request))) replace({ ...target, requests: [...target.requests, request] })
    shell.openPanel('plots')
  }

  function open(title: string, requests: readonly SeriesRequest[]) {
    const plot = { id: nextId++, title, requests }
    plots.value = [...plots.value, plot]
    active.value = plot.id
    void load(plot)
    shell.openPanel('plots')
  }

  function replace(plot: Plot) {
    plots.value = plots.value.map(one => one.id === plot.id ? plot : one)
    void load(plot)
  }

  function removeSeries(id: number, index: number) {
    const plot = plots.value.find(one => one.id === id)
    if (!plot) return
    if (plot.requests.length === 1) close(id)
    else replace({ ...plot, requests: plot.requests.filter((_, i) => i !== index) })
  }

  function close(id: number) {
    plots.value = plots.value.filter(plot => plot.id !== id)
    if (active.value === id) active.value = plots.value.at(-1)?.id ?? null
  }

  async function load(plot: Plot) {
    const run = runs.current?.id
    if (run === undefined) return
    try {
      const other = comparison.active ? comparison.other : null
      const [own, others] = await Promise.all([
        useHost().engine.series(run, [...plot.requests]),
        // What the other run does not have is drawn of this one alone.
        other ? useHost().engine.series(other.id, [...plot.requests]).catch(() => []) : [],
      ])
      if (runs.current?.id !== run || !plots.value.some(one => one.id === plot.id)) return
      const scene = runs.scene ?? document.scene
      const shown = own.map((series, request): PlottedSeries => ({ ...forPeople(series, plot.requests[request]!, scene), request, other: false }))
      const compared = others.map((series, request): PlottedSeries => {
        const made = forPeople(series, plot.requests[request]!, scene)
        return { ...made, label: `${made.label} · ${runs.titleOf(other!)}`, request, other: true }
      })
      data.value = new Map(data.value).set(plot.id, [...shown, ...compared])
      errors.value = new Map([...errors.value].filter(([id]) => id !== plot.id))
    } catch (error) {
      errors.value = new Map(errors.value).set(plot.id, (error as Error).message)
    }
  }

  watch(() => runs.current?.id, () => { data.value = new Map() })
  watch(() => [runs.current?.id, runs.current?.status, comparison.active && comparison.other?.id] as const, () => {
    for (const plot of plots.value) void load(plot)
  })
  // Another scene has other bodies: its plots would be of nothing.
  watch(() => document.generation, () => {
    plots.value = []
    data.value = new Map()
    errors.value = new Map()
    active.value = null
  })

  return { plots, data, errors, active, add, open, removeSeries, close }
})

export function titleOfRequest(request: SeriesRequest): string {
  switch (request.what) {
    case 'body': return `Motion of ${nameOf([request.body])}`
    case 'contact': return `${nameOf([request.contact.bodyA])} on ${nameOf([request.contact.bodyB])}`
    case 'pair': return `${nameOf([request.bodyA])} on ${nameOf([request.bodyB])}`
    case 'joint': return `Joint ${nameOf([request.joint])}`
    case 'momentum': return request.quantity === 'linear' ? 'Momentum' : 'Angular momentum'
    case 'energy': return 'Energy'
    case 'certificate': return 'Accuracy'
    case 'script': return request.name
    case 'sensor': return nameOf([request.sensor])
  }
}
