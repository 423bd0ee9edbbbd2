/** The frame that is shown with all that was solved for it, for those who ask why. Read only while somebody looks. */

import { shallowRef, watch, type ShallowRef } from 'vue'
import type { ForceSource, RecordedFrame } from '../../core/analysis/force-balance'
import type { RowTerm } from '../../core/analysis/contact-row'
import { ownerId } from '../../core/trajectory/owner'
import { titleOf } from './scene-access'
import { massesOf } from './body-masses'
import { usePlayback } from './playback'
import { useRuns } from './runs'
import type { Scene } from '../../core/scene'

/** Between two frames it is the one before: forces are shown as they were solved, never interpolated. Null while it is on its way. */
export function useRecordedFrame(): Readonly<ShallowRef<RecordedFrame | null>> {
  const playback = usePlayback()
  const runs = useRuns()
  const recorded = shallowRef<RecordedFrame | null>(null)
  const sources = () => [playback.frame, playback.contacts, playback.joints, runs.current?.header, runs.scene] as const
  watch(sources, async ([shown, contacts, joints, header, scene]) => {
    const messages = playback.messages
    if (!shown || !contacts || !joints || !header || !scene || !messages) {
      recorded.value = null
      return
    }
    const { index } = shown
    const forces = messages.forces.get(index) ?? await messages.forces.load(index).catch(() => undefined)
    const frame = messages.frames.get(index)
    if (playback.contacts !== contacts) return
    recorded.value = forces && frame ? { header, masses: massesOf(scene), frame, contacts, joints, forces } : null
  }, { immediate: true })
  return recorded
}

/** What a person calls the source of a force on `body`, or a term in a contact's row. */
export function sourceName({ kind, index }: ForceSource | RowTerm['source'], recorded: RecordedFrame, scene: Scene, body: number | null): string {
  const { header, contacts } = recorded
  const name = (list: readonly { readonly id: string; readonly name?: string }[] | undefined, id: string | undefined) => {
    const found = list?.find(element => element.id === id)
    return found ? titleOf(found) : id ?? ''
  }
  const bodyName = (at: number) => at < 0 ? 'world' : name([...scene.bodies ?? [], ...scene.deformables ?? []], ownerId(header, at))
  switch (kind) {
    case 'gravity': return 'Gravity'
    case 'motion': return 'Motion (centripetal, gyroscopic)'
    case 'force': return name(scene.forces, header.forceIds[index])
    case 'joint': return name(scene.joints, header.jointIds[index])
    case 'element': return `${name(scene.joints, header.jointIds[index])}: spring, damping, motor at its limit`
    case 'drive': return `${name(scene.joints, header.jointIds[index])}: motor, friction`
    case 'contact': {
      const [a, b] = [contacts.bodyA[index]!, contacts.bodyB[index]!]
      if (body === null) return `${bodyName(a)} on ${bodyName(b)}`
      return `${bodyName(a === body ? b : a)}`
    }
  }
}
