import type { Feature } from '../contact'

/** Key of a feature pair within its primitive pair: `vertex3/face0`. */
export function pairKey(featureA: Feature, featureB: Feature): string {
  return `${featureA.kind}${featureA.index}/${featureB.kind}${featureB.index}`
}
