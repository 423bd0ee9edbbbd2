/** Sweeps on this computer: their list and progress, and the results of the selected one, fetched as they arrive. */

import { computed, ref, shallowRef } from 'vue'
import { defineStore } from 'pinia'
import type { SweepInfo, SweepPlan, SweepResult } from '../../main/protocol/sweeps'
import { placesOf } from '../sweeps/places'
import { useHost } from './host'
import { usePlayback } from './playback'
import { readScene } from './read-scene'
import { bodiesOf, jointsOf, titleOf } from './scene-access'
import { useRuns } from './runs'

/** Rows per request. */
const PAGE = 2000

export const useSweeps = defineStore('sweeps', () => {
  const runs = useRuns()
  const list = shallowRef<readonly SweepInfo[]>([])
  const selectedId = ref<string | null>(null)
  const results = shallowRef<readonly SweepResult[]>([])
  /** Units of paths in the selected sweep's scene. */
  const units = shallowRef<ReadonlyMap<string, string>>(new Map())
  /** Names of the bodies and joints of that scene, by id. */
  const names = shallowRef<ReadonlyMap<string, string>>(new Map())
  /** Plan that a new sweep starts from. */
  const template = shallowRef<{ readonly name: string; readonly plan: SweepPlan } | null>(null)
  const selected = computed(() => list.value.find(({ id }) => id === selectedId.value) ?? null)
  let fetching = false

  async function refresh() {
    list.value = await useHost().engine.sweeps()
    if (selectedId.value === null && list.value[0]) await select(list.value[0].id)
  }

  /** The engine reports progress or the end of a sweep. */
  function update(info: SweepInfo) {
    const known = list.value.some(({ id }) => id === info.id)
    list.value = known ? list.value.map(other => other.id === info.id ? info : other) : [info, ...list.value]
    if (info.id === selectedId.value) void fetchResults()
  }

  async function select(id: string) {
    if (selectedId.value === id) return
    selectedId.value = id
    results.value = []
    units.value = new Map()
    names.value = new Map()
    if (selected.value?.parameters.length === 0) return // its plan cannot be read
    const { scenes: [scene] } = await useHost().engine.sweepPlan(id)
    const read = scene ? readScene(scene.text).scene : null
    if (selectedId.value !== id) return
    units.value = new Map(read ? placesOf(read).map(({ path, unit }) => [path, unit]) : [])
    names.value = new Map(read ? [...bodiesOf(read), ...jointsOf(read)].map(element => [element.id, titleOf(element)]) : [])
    await fetchResults()
  }

  /** Fetches new results; one request at a time. */
  async function fetchResults() {
    if (fetching) return
    fetching = true
    try {
      for (;;) {
        const id = selectedId.value
        if (id === null) return
        const more = await useHost().engine.sweepResults(id, results.value.length, PAGE)
        if (selectedId.value !== id) continue // another sweep has been selected
        if (more.length === 0) return
        results.value = [...results.value, ...more]
      }
    } finally {
      fetching = false
    }
  }

  async function start(plan: SweepPlan, options: { name: string; workers: number | null }) {
    const info = await useHost().engine.startSweep(plan, options)
    update(info)
    await select(info.id)
    return info
  }

  async function resume(id: string) {
    update(await useHost().engine.resumeSweep(id, null))
  }

  const cancel = (id: string) => useHost().engine.cancelSweep(id)

  async function remove(id: string) {
    await useHost().engine.deleteSweep(id)
    list.value = list.value.filter(other => other.id !== id)
    if (selectedId.value !== id) return
    selectedId.value = null
    results.value = []
    if (list.value[0]) await select(list.value[0].id)
  }

  /** Starts a new plan from that of this sweep. */
  async function planAgain({ id, name }: SweepInfo) {
    template.value = { name, plan: await useHost().engine.sweepPlan(id) }
  }

  /** Displays a run, from its file if it was kept, else computed again. */
  async function openRun(run: number) {
    if (selectedId.value === null) return
    const info = await useHost().engine.openSweepRun(selectedId.value, run)
    await runs.refresh()
    await runs.open(info)
    usePlayback().playFirst()
  }

  return { list, selectedId, selected, results, units, names, template, refresh, update, select, start, resume, cancel, remove, planAgain, openRun }
})
