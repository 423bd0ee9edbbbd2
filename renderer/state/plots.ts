/**
 * Plots of the current run and of other selected runs: each plot is a list of quantities over time or over another quantity. The engine sends
 * whole series, and again when the run has ended.
 */

import { computed, ref, shallowRef, watch } from 'vue'
import { defineStore } from 'pinia'
import type { RunInfo, Series, SeriesRequest } from '../../main/protocol/runs'
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
  /** The quantity on the horizontal axis; null: time. */
  readonly against: SeriesRequest | null
}

export const ENERGY_PLOT: readonly SeriesRequest[] = [
  { what: 'energy', quantity: 'kinetic' }, { what: 'energy', quantity: 'potential' }, { what: 'energy', quantity: 'total' },
]
export const ACCURACY_PLOT: readonly SeriesRequest[] = [
  { what: 'certificate', quantity: 'maxPenetration' }, { what: 'certificate', quantity: 'maxJointError' },
]

/** A curve of a plot: the index of its quantity in the plot, and of its run (0: the displayed one). */
export interface PlottedSeries extends Series {
  /** The quantity as requested; the plot may have changed since. */
  readonly of: SeriesRequest
  readonly run: number
  /** Values on the horizontal axis, at the same times; null: time. */
  readonly against: Series | null
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
  /** Ids of the runs drawn beside the displayed one. */
  const ticked = shallowRef<readonly string[]>([])
  /** Those that still exist, and the comparison run. */
  const beside = computed(() => {
    const compared = comparison.active ? comparison.other : null
    const others = ticked.value.flatMap(id => runs.list.find(run => run.id === id && run.frames > 0) ?? [])
    return [...compared ? [compared] : [], ...others.filter(run => run.id !== compared?.id)].filter(run => run.id !== runs.current?.id)
  })
  let nextId = 1

  /** Adds a quantity to the active plot or to a new one, and shows the panel. */
  function add(request: SeriesRequest, options: { fresh?: boolean } = {}) {
    const target = options.fresh ? undefined : plots.value.find(plot => plot.id === active.value)
    if (!target) return open(titleOfRequest(request), [request])
    if (!target.requests.some(one => JSON.stringify(one) === JSON.stringify(request))) replace({ ...target, requests: [...target.requests, request] })
    shell.openPanel('plots')
  }

  /** Quantities dropped on a plot are added to it; beside the plots they make a new one. */
  function drop(requests: readonly SeriesRequest[], onto: number | null) {
    if (requests.length === 0) return
    if (onto === null) return open(titleOfRequest(requests[0]!), requests)
    active.value = onto
    for (const request of requests) add(request)
  }

  function open(title: string, requests: readonly SeriesRequest[], against: SeriesRequest | null = null) {
    const plot = { id: nextId++, title, requests, against }
    plots.value = [...plots.value, plot]
    active.value = plot.id
    void load(plot)
    shell.openPanel('plots')
  }

  /** Draws a plot over another quantity, or over time (null). */
  function drawAgainst(id: number, against: SeriesRequest | null) {
    const plot = plots.value.find(one => one.id === id)
    if (plot) replace({ ...plot, against })
  }

  /** Replaces one quantity by another. */
  function change(id: number, index: number, request: SeriesRequest) {
    const plot = plots.value.find(one => one.id === id)
    if (!plot) return
    const title = plot.title === titleOfRequest(plot.requests[index]!) ? titleOfRequest(request) : plot.title
    replace({ ...plot, title, requests: plot.requests.map((one, k) => k === index ? request : one) })
  }

  function tick(run: RunInfo, on: boolean) {
    ticked.value = on ? [...ticked.value.filter(id => id !== run.id), run.id] : ticked.value.filter(id => id !== run.id)
  }

  function replace(plot: Plot) {
    plots.value = plots.value.map(one => one.id === plot.id ? plot : one)
    void load(plot)
  }

  function removeSeries(id: number, request: SeriesRequest) {
    const plot = plots.value.find(one => one.id === id)
    if (!plot?.requests.includes(request)) return
    if (plot.requests.length === 1) close(id)
    else replace({ ...plot, requests: plot.requests.filter(one => one !== request) })
  }

  function close(id: number) {
    plots.value = plots.value.filter(plot => plot.id !== id)
    if (active.value === id) active.value = plots.value.at(-1)?.id ?? null
  }

  async function load(plot: Plot) {
    const run = runs.current?.id
    if (run === undefined) return
    const requests = plot.against ? [...plot.requests, plot.against] : plot.requests
    try {
      const [own, ...others] = await Promise.all([
        useHost().engine.series(run, [...requests]),
        // Another run without these quantities is omitted from the plot.
        ...beside.value.map(other => useHost().engine.series(other.id, [...requests]).catch(() => null)),
      ])
      if (runs.current?.id !== run || !plots.value.includes(plot)) return
      const scene = runs.scene ?? document.scene
      const curves = (all: readonly Series[] | null | undefined, place: number): PlottedSeries[] => {
        if (!all) return []
        const made = all.map((series, k) => forPeople(series, requests[k]!, scene))
        const against = plot.against ? made.at(-1)! : null
        const title = place === 0 ? '' : ` · ${runs.titleOf(beside.value[place - 1]!)}`
        return made.slice(0, plot.requests.length).map((series, k) => ({ ...series, label: series.label + title, of: requests[k]!, run: place, against }))
      }
      data.value = new Map(data.value).set(plot.id, [own, ...others].flatMap(curves))
      errors.value = new Map([...errors.value].filter(([id]) => id !== plot.id))
    } catch (error) {
      errors.value = new Map(errors.value).set(plot.id, (error as Error).message)
    }
  }

  watch(() => runs.current?.id, () => { data.value = new Map() })
  watch(() => [runs.current?.id, runs.current?.status, ...beside.value.map(run => `${run.id} ${run.status} ${runs.titleOf(run)}`)].join(), () => {
    for (const plot of plots.value) void load(plot)
  })
  // Another document has other bodies, so its plots are removed.
  watch(() => document.generation, () => {
    plots.value = []
    data.value = new Map()
    errors.value = new Map()
    active.value = null
    ticked.value = []
  })

  return { plots, data, errors, active, ticked, beside, add, drop, open, drawAgainst, change, tick, removeSeries, close }
})

/** Longest formula in a title, characters. */
const MAX_TITLE_LENGTH = 48

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
    case 'deformable': return nameOf([request.deformable])
    case 'formula': return request.text.length > MAX_TITLE_LENGTH ? `${request.text.slice(0, MAX_TITLE_LENGTH)}…` : request.text
  }
}
