/**
 * Identifies the motions that this build computes: the digest of the final hashes of the gallery's scenes, checked by
 * test/verification/gallery-hashes.test.ts.
 */
export const MOTION = 'a31fcd9f'

/** Part of every run's cache key: an engine with different trajectories computes runs again. */
export const ENGINE_VERSION = `0.10.12+${MOTION}`
