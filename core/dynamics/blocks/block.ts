/**
 * A state block: things of one kind that lie side by side in a state [docs/deformables.md]. Bodies are the first kind, particles the second. What is asked of
 * every kind alike stands here; what only some kinds have (orientations, inertia) only those pay for.
 */

export interface StateBlock {
  readonly kind: 'bodies' | 'particles'
  /** Doubles of position, and of velocity. */
  readonly positions: number
  readonly velocities: number
  /** J, of what moves freely. */
  kineticEnergy(): number
  /** Adds linear momentum, kg m/s, and angular momentum about the world's origin, kg m²/s: 6 doubles. */
  addMomentum(out: Float64Array): void
}
