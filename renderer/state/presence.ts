/** Which elements exist at the displayed time, and those of the displayed run that the document does not have. */

import { computed } from 'vue'
import { defineStore } from 'pinia'
import { type Body, type Joint, type Scene } from '../../core/scene'
import { formatTime } from '../fields/format'
import { useDocument } from './document'
import { useLive } from './live'
import { usePlayback } from './playback'
import { useRuns } from './runs'
import { bodiesOf, containersOf, jointsOf } from './scene-access'

type Timed = Pick<Body, 'id' | 'spawnTime' | 'removeTime'>
const NONE: readonly never[] = []

export const usePresence = defineStore('presence', () => {
  const document = useDocument()
  const live = useLive()
  const playback = usePlayback()
  const runs = useRuns()

  /** Bodies and joints of the displayed run that do not exist all the time. */
  const timed = computed<readonly Timed[]>(() => !playback.showsRun ? NONE
    : [...bodiesOf(playback.shownScene), ...jointsOf(playback.shownScene)].filter(isTimed))
  /** When the elements exist that do not exist at the displayed time, by id. The same object while they do not change, so that lists are not laid out again. */
  const absent = computed<ReadonlyMap<string, string>>(before => {
    const now = new Map(timed.value.flatMap(one => {
      const when = absenceOf(one, playback.time)
      return when === null ? [] : [[one.id, when] as const]
    }))
    return before !== undefined && before.size === now.size && [...now].every(([id, when]) => before.get(id) === when) ? before : now
  })

  /** Bodies and joints of the displayed run that the document does not have. */
  const extra = computed<{ readonly bodies: readonly Body[]; readonly joints: readonly Joint[] }>(() => {
    const shown = playback.shownScene
    if (!playback.showsRun || shown === document.scene) return { bodies: NONE, joints: NONE }
    return { bodies: bodiesOf(shown).filter(({ id }) => !document.has(id)), joints: jointsOf(shown).filter(({ id }) => !document.has(id)) }
  })
  const extraIds = computed(() => new Set([...extra.value.bodies, ...extra.value.joints].map(({ id }) => id)))
  /** The document with the elements of the displayed run that it does not have: what there is to see and to select. */
  const scene = computed<Scene>(() => {
    const { bodies, joints } = extra.value
    if (extraIds.value.size === 0) return document.scene
    const containers = new Set(containersOf(document.scene).map(({ id }) => id))
    const own = ({ group, ...body }: Body): Body => group !== undefined && containers.has(group) ? { ...body, group } : body
    return { ...document.scene, bodies: [...bodiesOf(document.scene), ...bodies.map(own)], joints: [...jointsOf(document.scene), ...joints] }
  })
  /** Where the elements come from that the document does not have. */
  const origin = computed(() => runs.current !== null && runs.current.id === runs.session
    ? { word: 'live', sentence: 'Added in the live session. Keep as scene makes it part of the document.' }
    : { word: 'run', sentence: 'Only in the shown run: the document does not have it.' })

  /** How the user holds bodies and deformables in a live session, in words, by id. */
  const held = computed<ReadonlyMap<string, string>>(() => new Map([
    ...live.springs.flatMap(({ body, on }) => [body, on].flatMap(id => typeof id === 'string' ? [[id, 'tied'] as const] : [])),
    ...live.pinned.map(hold => [hold.particle?.deformable ?? hold.body!, 'nailed'] as const),
    ...live.dragged ? [[live.dragged.particle?.deformable ?? live.dragged.body!, 'dragged'] as const] : [],
  ]))
  return { absent, extraIds, scene, origin, held }
})

const isTimed = ({ spawnTime, removeTime }: Timed) => (spawnTime ?? 0) > 0 || removeTime !== undefined

function absenceOf({ spawnTime = 0, removeTime = Infinity }: Timed, time: number): string | null {
  if (time >= removeTime) return `until ${formatTime(removeTime)}`
  return time < spawnTime ? `from ${formatTime(spawnTime)}` : null
}
