/** Sensor values of a frame, from its motion and the forces up to it. */

import { rayDistance, type RayTarget } from '../analysis/ray'
import type { ControlFrame, WorldPrimitive } from '../contact/world'
import { angularMomentumOf, type RigidBody } from '../dynamics/body'
import type { BodyMotion } from '../geometry/motion'
import { transform, type Mat3 } from '../math/matrix'
import { composePoses, IDENTITY_POSE, toOuter, type Pose } from '../math/pose'
import { rotate, rotateInverse } from '../math/quaternion'
import { add, cross, normalize, scale, sub, ZERO, type Vec3 } from '../math/vector'
import type { ControlInputs } from '../dynamics/script-runtime'
import type { ResolvedScene, ResolvedSensor } from '../scene'
import { sensorLayout } from '../trajectory/sensors'
import { gaussian } from './noise'

type OfType<T extends ResolvedSensor['type']> = Extract<ResolvedSensor, { type: T }>

export class Sensors {
  private readonly layout: ReturnType<typeof sensorLayout>
  private readonly bodyIndex: ReadonlyMap<string, number>
  private readonly jointIndex: ReadonlyMap<string, number>

  /** @param gravityChange index of the force for the change of gravity since the start; −1 if constant */
  constructor(
    private readonly scene: ResolvedScene, private readonly bodies: readonly RigidBody[], private readonly primitives: readonly (readonly WorldPrimitive[])[],
    private readonly gravityChange: number,
  ) {
    this.layout = sensorLayout({ sensorIds: scene.sensors.map(({ id }) => id), sensorTypes: scene.sensors.map(({ type }) => type) })
    this.bodyIndex = new Map(bodies.map(({ id, index }) => [id, index]))
    this.jointIndex = new Map(scene.joints.map(({ id }, k) => [id, k]))
  }

  /** In the layout of the channel `sensors`. */
  measure(time: number, frame: ControlFrame): Float64Array {
    const values = new Float64Array(this.layout.width)
    let at = 0
    for (const sensor of this.scene.sensors) {
      const measured = this.read(sensor, frame)
      values.set(this.withNoise(sensor, time, measured), at)
      at += measured.length
    }
    return values
  }

  /** The same values, in the form for controllers. */
  seen(time: number, frame: ControlFrame): ControlInputs['sensors'] {
    const values = this.measure(time, frame)
    return this.scene.sensors.map(({ id }) => {
      const own = this.layout.quantities.filter(({ sensor }) => sensor === id)
      return { id, ...Object.fromEntries(own.map(({ name, at, length }) => [name, length === 1 ? values[at]! : [...values.subarray(at, at + length)]])) }
    })
  }

  private read(sensor: ResolvedSensor, frame: ControlFrame): number[] {
    switch (sensor.type) {
      case 'joint': {
        const { force, torque } = frame.joints[this.jointIndex.get(sensor.joint)!]!
        return [...force, ...torque]
      }
      case 'contact': return this.contactForce(sensor, frame)
      case 'range': return [this.range(sensor, frame)]
      case 'imu': return this.inertial(sensor, frame)
      case 'pose': {
        const body = this.bodyIndex.get(sensor.body)!
        if (!frame.snapshot.exists[body]) return new Array<number>(7).fill(NaN)
        const { position, orientation } = composePoses(frame.snapshot.motions[body]!.pose, sensor)
        return [...position, ...orientation]
      }
    }
  }

  private contactForce({ body: id, shape }: OfType<'contact'>, { contacts, snapshot }: ControlFrame): number[] {
    const body = this.bodyIndex.get(id)!
    if (!snapshot.exists[body]) return [NaN, NaN, NaN]
    let sum = ZERO
    for (const { bodyA, bodyB, shapeA, shapeB, normal, normalForce, frictionForce } of contacts) {
      const force = add(scale(normal, normalForce), frictionForce)
      if (bodyA === body && (shape === undefined || shapeA === shape)) sum = add(sum, force)
      if (bodyB === body && (shape === undefined || shapeB === shape)) sum = sub(sum, force)
    }
    return [...sum]
  }

  private range({ body: id, position, direction, maximum }: OfType<'range'>, { snapshot }: ControlFrame): number {
    const carrier = id === null ? -1 : this.bodyIndex.get(id)!
    if (carrier >= 0 && !snapshot.exists[carrier]) return NaN
    const pose: Pose = carrier < 0 ? IDENTITY_POSE : snapshot.motions[carrier]!.pose
    const targets = this.bodies.flatMap(({ index }): RayTarget[] => {
      if (index === carrier || !snapshot.exists[index]) return []
      const motion = snapshot.motions[index]!
      return this.primitives[index]!.map(({ primitive, pose: own }) => {
        const placed = composePoses(motion.pose, own)
        const { min, max } = primitive.bounds
        const middle: Vec3 = [(min[0] + max[0]) / 2, (min[1] + max[1]) / 2, (min[2] + max[2]) / 2]
        const [x, y, z] = sub(max, middle)
        const bounded = Number.isFinite(x) && Number.isFinite(y) && Number.isFinite(z)
        const around = bounded ? { center: toOuter(placed, middle), radius: Math.sqrt(x * x + y * y + z * z) } : { center: placed.position, radius: Infinity }
        return { primitive, pose: placed, ...around }
      })
    })
    return rayDistance(toOuter(pose, position), normalize(rotate(pose.orientation, direction)), maximum, targets)
  }

  /** Acceleration of the point minus gravity, and the angular velocity, in the sensor's axes: a = a_c + α × r + ω × (ω × r), I α = τ − ω × L. */
  private inertial({ body: id, position, orientation }: OfType<'imu'>, frame: ControlFrame): number[] {
    const { snapshot, rates } = frame
    const index = this.bodyIndex.get(id)!
    if (!snapshot.exists[index]) return new Array<number>(6).fill(NaN)
    const motion = snapshot.motions[index]!
    const { orientation: axes } = composePoses(motion.pose, { position, orientation })
    const arm = sub(toOuter(motion.pose, position), motion.center)
    const { angularVelocity } = motion
    const linear = scale([rates[6 * index]!, rates[6 * index + 1]!, rates[6 * index + 2]!], snapshot.inverseMass[index]!)
    const angular = this.angularAcceleration(index, motion, snapshot.inverseInertia, rates)
    const acceleration = add(add(linear, cross(angular, arm)), cross(angularVelocity, cross(angularVelocity, arm)))
    return [...rotateInverse(axes, sub(acceleration, this.gravity(index, frame))), ...rotateInverse(axes, angularVelocity)]
  }

  /** m/s², the gravity on a dynamic body in this frame. */
  private gravity(index: number, { applied, snapshot }: ControlFrame): Vec3 {
    const { gravity } = this.scene
    const change = applied.find(({ kind, source, body }) => kind === 'force' && source === this.gravityChange && body === index)
    return change === undefined ? gravity : add(gravity, scale(change.force, snapshot.inverseMass[index]!))
  }

  private angularAcceleration(index: number, motion: BodyMotion, inverseInertia: Float64Array, rates: Float64Array): Vec3 {
    const body = this.bodies[index]!
    if (body.type !== 'dynamic') return ZERO
    const torque: Vec3 = [rates[6 * index + 3]!, rates[6 * index + 4]!, rates[6 * index + 5]!]
    const inverse = [...inverseInertia.subarray(9 * index, 9 * index + 9)] as unknown as Mat3
    return transform(inverse, sub(torque, cross(motion.angularVelocity, angularMomentumOf(body, motion))))
  }

  private withNoise(sensor: ResolvedSensor, time: number, values: readonly number[]): number[] {
    const first = sensor.noise
    const second = sensor.type === 'imu' ? sensor.rateNoise : sensor.type === 'joint' ? sensor.torqueNoise : 0
    if (first === 0 && second === 0) return [...values]
    return values.map((value, k) => {
      const deviation = k < 3 ? first : second
      return deviation === 0 ? value : value + deviation * gaussian(this.scene.simulation.seed, sensor.id, k, time)
    })
  }
}
