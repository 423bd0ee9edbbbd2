/** Contact of particles with rigid shapes, and ties between particles and bodies. */

export { carriers, inward, outward, setEnd, setStart, type Carriers } from './carriers'
export { elementContacts } from './element-contacts'
export { isCurved } from './element-search'
export { featureContacts, type Touch } from './feature-contacts'
export { featuresOf, type Features, type Skeleton } from './features'
export { CONTACT, Links, ROD, TIE } from './links'
export { stageContacts, TIES, type Finder, type StageContacts } from './stage-contacts'
export { rigidSurface, type Surface } from './surface'
export { skeletonOf } from './skeleton'
export { surfaceContacts, type Coefficients, type Solid, type Touchable } from './surface-contacts'
export { HeldConditions } from './held-conditions'
export type { HeldCondition } from './held-rows'
