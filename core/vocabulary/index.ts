/**
 * Names that methods report and run files store: one list for both. Files store a name's position in its list, so new names are only appended.
 */

/** Kinds of touching features: `surface` of smooth curved solids, `rim` and `axis` of cylinders, cones and capsules. */
export const FEATURE_KINDS = ['vertex', 'edge', 'face', 'surface', 'rim', 'axis'] as const
export type FeatureKind = (typeof FEATURE_KINDS)[number]

export const CONTACT_MODES = ['separating', 'sliding', 'sticking', 'rolling'] as const
export type ContactMode = (typeof CONTACT_MODES)[number]

/**
 * Kind of a contact constraint in a time-stepping problem [PEG17 §2]: `unilateral` (U), `inter` (I) or `cross` (X); `none` in the other methods.
 */
export const CONSTRAINT_KINDS = ['none', 'unilateral', 'inter', 'cross'] as const
export type ConstraintKind = (typeof CONSTRAINT_KINDS)[number]

/** Kinds of events; `stopped` is reported by the run, the others by its method. */
export const EVENT_KINDS = [
  'impact', 'newContact', 'release', 'stick', 'slip', 'feature', 'limit', 'breakpoint', 'restart', 'degraded',
  'spawn', 'indeterminate', 'inconsistent', 'energyScaled', 'warning', 'stopped', 'sleep', 'wake', 'reversal', 'part', 'remove',
] as const
export type EventKind = (typeof EVENT_KINDS)[number]
