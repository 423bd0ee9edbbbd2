/**
 * Says which motions this build computes: the digest of the hashes that the gallery's scenes end in, to which test/verification/gallery-hashes.test.ts
 * holds it.
 */
export const MOTION = '90bab932'

/** Part of every run's cache key: runs of an engine with different trajectories are computed again. */
export const ENGINE_VERSION = `0.10.1+${MOTION}`
