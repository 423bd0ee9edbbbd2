/** Pairwise interactions of nearby particles. */

export { buckets, type Buckets } from './buckets'
export { lennardJones, pairLoad, softPair, type PairChoice, type PairPotential } from './pair-load'
