import type { Feature } from './contact'

/** Key of a feature within its primitive. */
export type FeatureName = string

export function nameOf({ kind, index }: Feature): FeatureName {
  return `${kind}${index}`
}
