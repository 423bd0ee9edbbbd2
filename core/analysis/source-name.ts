/** Display name of the source of a force on a body, or of a term in a contact's row. */

import type { Scene } from '../scene'
import { ownerId } from '../trajectory/owner'
import type { RowTerm } from './contact-row'
import type { ForceSource, RecordedFrame } from './force-balance'

/** @param body the body on which it acts, whose name is omitted; null: both bodies of a contact are named */
export function sourceName({ kind, index }: ForceSource | RowTerm['source'], recorded: Pick<RecordedFrame, 'header' | 'contacts'>, scene: Scene, body: number | null): string {
  const { header, contacts } = recorded
  const name = (list: readonly { readonly id: string; readonly name?: string }[] | undefined, id: string | undefined) =>
    list?.find(element => element.id === id)?.name || (id ?? '')
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
