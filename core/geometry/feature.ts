/** What part of a primitive touches. */

export const FEATURE_KINDS = ['vertex', 'edge', 'face', 'surface', 'rim', 'axis'] as const
/** `surface` for smooth curved surfaces, `rim` and `axis` for cylinders, cones and capsules. */
export type FeatureKind = (typeof FEATURE_KINDS)[number]
