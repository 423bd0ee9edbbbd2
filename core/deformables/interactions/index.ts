/** Pairwise interactions of nearby particles. */

export { buckets, type Buckets } from './buckets'
export { evenFall, lennardJones, pairLoad, type PairPotential } from './pair-load'
