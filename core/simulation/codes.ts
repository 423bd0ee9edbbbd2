/** Numbers that the trajectory's columns use for names. */

import { FEATURE_KINDS, type FeatureKind } from '../vocabulary'
import { CONTACT_MODES, type ContactMode } from '../vocabulary'

export const KIND_INDEX = Object.fromEntries(FEATURE_KINDS.map((kind, index) => [kind, index])) as Record<FeatureKind, number>

export function modeIndex(mode: ContactMode): number {
  return CONTACT_MODES.indexOf(mode)
}
