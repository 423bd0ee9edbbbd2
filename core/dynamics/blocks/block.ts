/**
 * A state block: objects of one kind stored contiguously in a state [docs/deformables.md]. Bodies are the first kind, particles the second. This is the common
 * interface; only bodies have orientations and inertia.
 */

export interface StateBlock {
  readonly kind: 'bodies' | 'particles'
  /** Doubles of position, and of velocity. */
  readonly positions: number
  readonly velocities: number
  /** J, of the objects that are not held. */
  kineticEnergy(): number
  /** Adds linear momentum, kg m/s, and angular momentum about the world's origin, kg m²/s: 6 doubles. */
  addMomentum(out: Float64Array): void
}
