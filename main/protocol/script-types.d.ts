// What a script force sees. The editor's completion and the sandbox are held to this one file.

/** Three numbers: m, m/s, N … as the place says; world frame unless it says otherwise. */
type ForceVector = readonly [number, number, number]

/** What the exported function is called with, at every stage of the integrator: forces must depend on time and state alone. */
interface ForceContext {
  /** Simulated time, s. */
  readonly time: number
  /** The body with this id. @throws when there is none. */
  body(id: string): ForceBody
  /**
   * Repeatable random number in [0, 1): depends on the scene's seed, `key` and the time only. With `every` (s) it keeps its value for so
   * long: a force that changes at every instant has no motion that an integrator could find.
   */
  random(key: string, every?: number): number
  /** Shows a value on the timeline and in plots (kept at output frames). */
  plot(name: string, value: number): void
  /** Shows a line of text on the timeline (kept at output frames). */
  log(text: string): void
}

interface ForceBody {
  readonly id: string
  /** False before the body's spawn time; forces on it then have no effect. */
  readonly exists: boolean
  /** Of the body frame's origin, m. */
  readonly position: ForceVector
  /** Unit quaternion [x, y, z, w] of the body frame. */
  readonly orientation: readonly [number, number, number, number]
  /** Of the centre of mass, m/s. */
  readonly linearVelocity: ForceVector
  /** rad/s. */
  readonly angularVelocity: ForceVector
  /** m. */
  readonly centerOfMass: ForceVector
  /** kg; Infinity for fixed and kinematic bodies. */
  readonly mass: number
  /** Velocity of the body's material at a world point, m/s. */
  velocityAt(point: ForceVector): ForceVector
  /** Adds a force, N, at a world point (at the centre of mass if left out). */
  applyForce(force: ForceVector, point?: ForceVector): void
  /** Adds a torque, N m. */
  applyTorque(torque: ForceVector): void
}
