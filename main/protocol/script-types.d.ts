// Types available to scripts. The editor's completion and the sandbox both use this file.

/** Three numbers: m, m/s, N … as stated; world frame unless stated otherwise. */
type ForceVector = readonly [number, number, number]

/** Argument of the exported function, which is called at every stage of the integrator: forces must depend on time and state alone. */
interface ForceContext {
  /** Simulated time, s. */
  readonly time: number
  /** The scene's parameters by id, with their current values from keys and sliders. @throws if there is no such parameter. */
  readonly parameters: SceneParameters
  /** The body with this id. @throws if there is none. */
  body(id: string): ForceBody
  /**
   * Repeatable random number in [0, 1): depends only on the scene's seed, `key` and the time. With `every` (s) it is constant for that interval: an
   * integrator cannot resolve a force that changes at every instant.
   */
  random(key: string, every?: number): number
  /** Shows a value on the timeline and in plots (kept at output frames). */
  plot(name: string, value: number): void
  /** Shows a line of text on the timeline (kept at output frames). */
  log(text: string): void
}

/** The scene's parameters in SI units; the editor declares one property for each. */
interface SceneParameters {}

interface ForceBody {
  readonly id: string
  /** False before the body's spawn time; forces on it then have no effect. */
  readonly exists: boolean
  /** Position of the body frame's origin, m. */
  readonly position: ForceVector
  /** Unit quaternion [x, y, z, w] of the body frame. */
  readonly orientation: readonly [number, number, number, number]
  /** Velocity of the centre of mass, m/s. */
  readonly linearVelocity: ForceVector
  /** rad/s. */
  readonly angularVelocity: ForceVector
  /** m. */
  readonly centerOfMass: ForceVector
  /** kg; Infinity for fixed and kinematic bodies. */
  readonly mass: number
  /** Velocity of the body's material at a world point, m/s. */
  velocityAt(point: ForceVector): ForceVector
  /** Adds a force, N, at a world point (default: the centre of mass). */
  applyForce(force: ForceVector, point?: ForceVector): void
  /** Adds a torque, N m. */
  applyTorque(torque: ForceVector): void
}

/** Argument of `control`, which is called at whole multiples of `period`. All values are those of the preceding frame time, including forces. */
interface ControlContext {
  /** Simulated time, s. */
  readonly time: number
  /** The scene's parameters by id, with their current values from keys and sliders. @throws if there is no such parameter. */
  readonly parameters: SceneParameters
  /** State that the controller keeps from call to call: plain data. Initially the export `state`, if there is one. */
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- the script says what it keeps
  readonly state: any
  /** The body with this id; forces on it stay until the next call. @throws if there is none. */
  body(id: string): ForceBody
  /** The joint with this id. @throws if there is none. */
  joint(id: string): ControlJoint
  /** The reading of the sensor with this id. @throws if there is none. */
  sensor(id: string): ControlSensor
  /** All contacts. */
  readonly contacts: readonly ControlContact[]
  /**
   * Repeatable random number in [0, 1): depends only on the scene's seed, `key` and the time; with `every` (s) it is
   * constant for that interval.
   */
  random(key: string, every?: number): number
  /** Shows a value on the timeline and in plots, until the next call. */
  plot(name: string, value: number): void
  /** Shows a line of text on the timeline. */
  log(text: string): void
}

/**
 * A joint and its drive: a command stays until another replaces it. `coordinate` is 0 except for the second coordinate of universal and
 * cylindrical joints.
 */
interface ControlJoint {
  readonly id: string
  /** Of the first coordinate, rad or m: A relative to B, 0 at the initial pose. */
  readonly position: number
  /** rad/s or m/s. */
  readonly velocity: number
  /** Of all coordinates. */
  readonly positions: readonly number[]
  readonly velocities: readonly number[]
  /** Reaction on A at the anchor, N. */
  readonly force: ForceVector
  /** N m. */
  readonly torque: ForceVector
  /** Total of motors, commands and Coulomb friction, N or N m. */
  readonly motorForce: number
  /** Drives to a velocity, rad/s or m/s, with at most this force, instead of the scene's motor. */
  setTargetVelocity(velocity: number, maxForce?: number, coordinate?: number): void
  /** Applies this force, N or N m. */
  setForce(force: number, coordinate?: number): void
  /** Applies stiffness × (target − position) + damping × (velocity − the joint's), at most `maxForce`. */
  setTargetPosition(target: number, gains: ControlGains, coordinate?: number): void
  /** Returns the coordinate to the scene's motor. */
  release(coordinate?: number): void
}

interface ControlGains {
  /** N/m or N m/rad. */
  readonly stiffness: number
  /** N s/m or N m s/rad. */
  readonly damping: number
  /** Target velocity; default 0. */
  readonly velocity?: number
  readonly maxForce?: number
}

/** Readings of a sensor; each type has some of these. */
interface ControlSensor {
  readonly id: string
  /** Of an `imu`: acceleration less gravity, m/s², and rad/s, in the sensor's axes. */
  readonly specificForce: ForceVector
  readonly angularRate: ForceVector
  /** Of a `joint` and a `contact`, N. */
  readonly force: ForceVector
  /** Of a `joint`, N m. */
  readonly torque: ForceVector
  /** Of a `range`, m. */
  readonly distance: number
  /** Of a `pose`, m, and unit quaternion [x, y, z, w]. */
  readonly position: ForceVector
  readonly orientation: readonly [number, number, number, number]
}

interface ControlContact {
  /** Ids. */
  readonly bodyA: string
  readonly bodyB: string
  /** m. */
  readonly point: ForceVector
  /** Unit vector, from B towards A. */
  readonly normal: ForceVector
  /** N. */
  readonly normalForce: number
  /** Total force on A, including friction, N. */
  readonly force: ForceVector
  readonly mode: 'separating' | 'sliding' | 'sticking' | 'rolling'
}
