/** All errors and warnings in one list: from the scene's check, from runs and from scripts. */

import { computed, shallowRef } from 'vue'
import { defineStore } from 'pinia'
import { HostError } from '../../main/protocol/host'
import type { Problem } from '../../main/protocol/problem'
import { useDocument } from './document'
import { useHost } from './host'
import { withReasons } from './instances'
import { sceneText } from './scene-text'

/** Source of a problem: each source replaces all its own entries. Those of an attempt, which never became a run, leave with the next edit. */
export type ProblemSource = 'scene' | 'run' | 'attempt' | 'script' | 'file'

export const useProblems = defineStore('problems', () => {
  const document = useDocument()
  const bySource = shallowRef<ReadonlyMap<ProblemSource, readonly Problem[]>>(new Map())

  /** The text of the script that each error of a script is about. */
  const scripts = new WeakMap<Problem, string | undefined>()
  const textOf = ({ ids }: Problem) => document.element('scripts', ids[0] ?? '')?.source
  /** Errors of scripts that are no longer the text of the document; they come back when it is undone. */
  const isOutdated = (problem: Problem) => scripts.has(problem) && scripts.get(problem) !== textOf(problem)
  const outdated = computed(() => [...bySource.value.values()].flat().filter(isOutdated).length)

  const all = computed(() => {
    const seen = new Set<string>()
    const told = [...bySource.value.values()].flat()
    return (outdated.value === 0 ? told : told.filter(problem => !isOutdated(problem))).filter(problem => {
      const key = JSON.stringify([problem.name, problem.message, problem.path, problem.line])
      return !seen.has(key) && seen.add(key)
    })
  })
  /** The file that was to be opened last and is not valid, with its first problem. */
  const unopened = shallowRef<{ readonly name: string; readonly first: Problem } | null>(null)
  const errors = computed(() => all.value.filter(problem => problem.severity === 'error'))
  const warnings = computed(() => all.value.filter(problem => problem.severity === 'warning'))

  /** Bodies that overlap others at t = 0; the viewport outlines them. The same set object while they do not change, to avoid redrawing. */
  const overlapping = computed<ReadonlySet<string>>(before => {
    const now = new Set(all.value.filter(problem => problem.name === 'InitialPenetration').flatMap(problem => problem.ids))
    return before !== undefined && before.size === now.size && [...now].every(id => before.has(id)) ? before : now
  })

  const page = crypto.randomUUID()
  let checking = 0
  /** The engine's check of the document, the same as before a run. */
  async function check() {
    const ticket = ++checking
    const scene = document.scene
    const found = await useHost().engine.check(sceneText(scene, document.source), page).catch((error: unknown) => {
      if (error instanceof HostError && error.name === 'Cancelled' && ticket !== checking) return null // replaced by a newer check
      throw error
    })
    if (found === null) return
    if (ticket === checking && document.scene === scene) set('scene', withReasons(scene, found))
  }

  let timer: ReturnType<typeof setTimeout> | undefined
  document.onChange(() => {
    set('attempt', [])
    clearTimeout(timer)
    timer = setTimeout(() => {
      // Without a connection there is no check. The connection state is displayed, and reconnecting repeats the check.
      if (!document.gesture) check().catch(() => undefined)
    }, 350)
  })

  function set(source: ProblemSource, problems: readonly Problem[]) {
    // A run that computes reports often, and almost never a problem.
    if (problems.length === 0 && (bySource.value.get(source) ?? []).length === 0) return
    for (const problem of problems) if (problem.name === 'ScriptError') scripts.set(problem, textOf(problem))
    bySource.value = new Map(bySource.value).set(source, problems)
  }

  /** Problems at a JSON path or below it, for the inspector's fields. */
  function at(path: string): readonly Problem[] {
    return all.value.filter(problem => problem.path === path || problem.path.startsWith(`${path}.`) || problem.path.startsWith(`${path}[`))
  }

  return { all, errors, warnings, unopened, overlapping, set, at, check }
})
