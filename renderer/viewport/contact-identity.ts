/** Which contact is which: the key that selections and plots use, for a contact of a frame. */

import { FEATURE_KIND_NAMES, type ContactFrame } from '../../core/trajectory/frame'
import type { ContactKey } from '../../main/protocol/host'

/** @param ids body ids in document order */
export function contactKey(contacts: ContactFrame, i: number, ids: readonly string[]): ContactKey {
  const feature = (kind: number, index: number) => `${FEATURE_KIND_NAMES[kind] ?? 'surface'} ${index}`
  return {
    bodyA: ids[contacts.bodyA[i]!] ?? '', bodyB: ids[contacts.bodyB[i]!] ?? '',
    shapeA: contacts.shapeA[i]!, shapeB: contacts.shapeB[i]!,
    features: [feature(contacts.featureKindA[i]!, contacts.featureA[i]!), feature(contacts.featureKindB[i]!, contacts.featureB[i]!)],
  }
}
