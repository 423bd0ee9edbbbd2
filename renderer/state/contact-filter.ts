/** Filter of the contacts in the table and in the viewport. */

import { computed, ref } from 'vue'
import { defineStore } from 'pinia'
import type { ContactFrame } from '../../core/trajectory/frame'
import { CONTACT_MODES } from '../../core/vocabulary'
import { ownerId } from '../../core/trajectory/owner'
import { useDocument } from './document'
import { useRuns } from './runs'
import { titleOf } from './scene-access'

const showsAll = (): boolean => true

export const useContactFilter = defineStore('contact-filter', () => {
  const document = useDocument()
  const runs = useRuns()
  /** Part of a body's name or id, or of a contact mode. */
  const query = ref('')
  /** N: contacts with smaller forces are hidden. */
  const least = ref(0)

  const wanted = computed(() => query.value.trim().toLowerCase())
  const title = (id: string) => titleOf(document.element('bodies', id) ?? document.element('deformables', id) ?? { id })

  const active = computed(() => wanted.value !== '' || least.value > 0)

  /** Whether contact `i` of a frame passes the filter; a new function whenever the filter changes, and only then. */
  const shows = computed<(frame: ContactFrame, i: number) => boolean>(() => {
    if (!active.value) return showsAll
    const text = wanted.value
    const force = least.value
    const header = runs.current?.header ?? { bodyIds: [], deformableIds: [] }
    const words = new Map<number, boolean>()
    const named = (body: number) => {
      const id = ownerId(header, body) ?? ''
      const known = words.get(body) ?? `${title(id)} ${id}`.toLowerCase().includes(text)
      words.set(body, known)
      return known
    }
    return (frame: ContactFrame, i: number) => !(force > 0 && frame.normalForce[i]! < force)
      && (text === '' || named(frame.bodyA[i]!) || named(frame.bodyB[i]!) || (CONTACT_MODES[frame.mode[i]!] ?? '').includes(text))
  })
  /** The frame with the contacts that pass; the same object if all do. */
  function of(frame: ContactFrame): ContactFrame {
    if (!active.value) return frame
    const kept = Array.from({ length: frame.count }, (_, i) => i).filter(i => shows.value(frame, i))
    if (kept.length === frame.count) return frame
    const picked = Object.entries(frame).map(([name, column]) => {
      if (!(column instanceof Float64Array || column instanceof Int32Array)) return [name, column] as const
      const width = frame.count === 0 ? 1 : column.length / frame.count
      const values = kept.flatMap(i => [...column.subarray(i * width, (i + 1) * width)])
      return [name, column instanceof Float64Array ? Float64Array.from(values) : Int32Array.from(values)] as const
    })
    return { ...Object.fromEntries(picked) as unknown as ContactFrame, count: kept.length }
  }

  function clear() {
    query.value = ''
    least.value = 0
  }

  return { query, least, shows, active, of, clear }
})
