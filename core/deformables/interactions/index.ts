/** Interactions of particles that come near each other. */

export { buckets, type Buckets } from './buckets'
export { evenFall, lennardJones, pairLoad, type PairPotential } from './pair-load'
