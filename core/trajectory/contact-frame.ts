/** The contacts at one output time. */

/** Index set of a contact's normal row in the solver's partition [Baraff94 §4.2]. */
export const INDEX_SETS = ['C', 'NC'] as const

/** All contacts at one output time; `n` contacts, columns of length n (or 3 n). The force acts on A, its opposite on B. */
export interface ContactFrame {
  readonly index: number
  readonly time: number
  /** Number of contacts. */
  readonly count: number
  /** Numbers after those of the bodies are deformables, named by `ownerId`. Their feature is a vertex, numbered as in the deformable. */
  readonly bodyA: Int32Array
  readonly bodyB: Int32Array
  /** Index of the primitive in its body's `shapes`. */
  readonly shapeA: Int32Array
  readonly shapeB: Int32Array
  /** Index into `FEATURE_KINDS`, and the feature's index in its primitive. */
  readonly featureKindA: Int32Array
  readonly featureA: Int32Array
  readonly featureKindB: Int32Array
  readonly featureB: Int32Array
  /** m, 3 n. */
  readonly point: Float64Array
  /** Unit vector from B to A, 3 n. */
  readonly normal: Float64Array
  /** m; negative values are penetration. */
  readonly gap: Float64Array
  /** N. */
  readonly normalForce: Float64Array
  /** N, 3 n, tangential. */
  readonly frictionForce: Float64Array
  /** N m, 3 n: torsional and rolling friction about the point; zero without such coefficients. */
  readonly frictionTorque: Float64Array
  /** Effective coefficients at the point. */
  readonly staticFriction: Float64Array
  readonly dynamicFriction: Float64Array
  /** |f_t| ÷ (μ f_N), with μ the coefficient for the mode; for an approximate law, the fraction of its bound; 0 without friction. */
  readonly coneUsage: Float64Array
  /** Index into `CONTACT_MODES`. */
  readonly mode: Int32Array
  /** m/s, 3 n: velocity of A relative to B at the point. */
  readonly relativeVelocity: Float64Array
  /** Normal force compatible with the same motion, N: lower and upper ends, 2 n; NaN if not computed. The upper end may be Infinity. */
  readonly interval: Float64Array
  /** Index into `INDEX_SETS`. */
  readonly indexSet: Int32Array
  /** Number of the contact's island in this frame. */
  readonly island: Int32Array
  /** m/s²: normal acceleration after the solve, zero if the contact holds. */
  readonly normalAcceleration: Float64Array
  /** m: effective coefficients of torsional and rolling friction. */
  readonly torsionalFriction: Float64Array
  readonly rollingFriction: Float64Array
  /** m/s², 3 n: tangential acceleration after the solve, zero if the contact sticks; NaN if not computed. */
  readonly tangentialAcceleration: Float64Array
  /** Index into `CONSTRAINT_KINDS`. */
  readonly constraint: Int32Array
}
