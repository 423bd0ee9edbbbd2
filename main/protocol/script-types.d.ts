// What a script force sees. The editor's completion and the sandbox are held to this one file.

/** Three numbers: m, m/s, N … as the place says; world frame unless it says otherwise. */
type ForceVector = readonly [number, number, number]

/** What the exported function is called with, at every stage of the integrator: forces must depend on time and state alone. */
interface ForceContext {
  /** Simulated time, s. */
  readonly time: number
  /** The scene's parameters by their ids, as their keys and sliders have them at this time. @throws where there is none of a name. */
  readonly parameters: SceneParameters
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

/** A number for each parameter of the scene, in SI units: the editor declares them one by one. */
interface SceneParameters {}

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

/** What `control` is called with at whole multiples of `period`: everything is that of the instant before, with the forces until then. */
interface ControlContext {
  /** Simulated time, s. */
  readonly time: number
  /** The scene's parameters by their ids, as their keys and sliders have them at this time. @throws where there is none of a name. */
  readonly parameters: SceneParameters
  /** What the controller keeps from call to call: plain data. At first what the script exports as `state`, or nothing. */
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- the script says what it keeps
  readonly state: any
  /** The body with this id; forces on it stay until the next call. @throws when there is none. */
  body(id: string): ForceBody
  /** The joint with this id. @throws when there is none. */
  joint(id: string): ControlJoint
  /** What the sensor with this id says. @throws when there is none. */
  sensor(id: string): ControlSensor
  /** Everything that touches. */
  readonly contacts: readonly ControlContact[]
  /** Repeatable random number in [0, 1): depends on the scene's seed, `key` and the time only; with `every` (s) it keeps its value for so long. */
  random(key: string, every?: number): number
  /** Shows a value on the timeline and in plots, until the next call. */
  plot(name: string, value: number): void
  /** Shows a line of text on the timeline. */
  log(text: string): void
}

/** A joint, and what drives it: a command stays until another takes its place. `coordinate` is 0 but for the second of universal and cylindrical joints. */
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
  /** Of motors, commands and Coulomb friction, N or N m. */
  readonly motorForce: number
  /** Keeps a velocity, rad/s or m/s, with at most this force, in place of the scene's motor. */
  setTargetVelocity(velocity: number, maxForce?: number, coordinate?: number): void
  /** Pushes with this force, N or N m. */
  setForce(force: number, coordinate?: number): void
  /** Pushes with stiffness × (target − position) + damping × (velocity − the joint's), at most `maxForce`. */
  setTargetPosition(target: number, gains: ControlGains, coordinate?: number): void
  /** Gives the coordinate back to the scene's motor. */
  release(coordinate?: number): void
}

interface ControlGains {
  /** N/m or N m/rad. */
  readonly stiffness: number
  /** N s/m or N m s/rad. */
  readonly damping: number
  /** Target velocity; 0 where it is left out. */
  readonly velocity?: number
  readonly maxForce?: number
}

/** Each type of sensor has its own of these. */
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
  /** Unit, out of B towards A. */
  readonly normal: ForceVector
  /** N. */
  readonly normalForce: number
  /** On A, friction and all, N. */
  readonly force: ForceVector
  readonly mode: 'separating' | 'sliding' | 'sticking' | 'rolling'
}
