/** Cost of motion without contact: reading motions, the joints' equations, and integrator steps of freely rotating bodies. */

import { rigidBody } from '../../core/dynamics/body'
import { gravity } from '../../core/dynamics/forces'
import { integratorByName, INTEGRATOR_NAMES } from '../../core/dynamics/integrators'
import { jointConstraint, jointEquations, type JointSpec } from '../../core/dynamics/joints'
import { OFFSET_VELOCITY } from '../../core/dynamics/state'
import { initialState, readMotions, stateLayout, writeKinematics, writeScales } from '../../core/dynamics/state-layout'
import type { BodyMotion } from '../../core/geometry/motion'
import { diagonal } from '../../core/math/matrix'
import { simulate } from '../../core/simulation'
import { best, report } from './support/timing'

function bodies(n: number) {
  return Array.from({ length: n }, (_, index) => rigidBody({
    index, id: `b${index}`, type: 'dynamic', mass: 1, inertia: diagonal(1, 2, 3), position: [index, 0.1 * index, 0], orientation: [0.1, 0.2, 0.3, 0.9],
    linearVelocity: [1, 2, 3], angularVelocity: [0.3, 1, -0.4],
  }))
}

function joints(): void {
  const [a, b] = bodies(2) as [ReturnType<typeof rigidBody>, ReturnType<typeof rigidBody>]
  const joined = { id: 'j', bodyA: 0, bodyB: 1, initialA: a.initial, initialB: b.initial, anchor: [0.5, 0, 0] as const }
  const axis = [0.3, 0.2, 0.9] as const
  const specs: JointSpec[] = [
    { ...joined, type: 'ball' }, { ...joined, type: 'hinge', axis }, { ...joined, type: 'slider', axis }, { ...joined, type: 'fixed' },
    { ...joined, type: 'universal', axisA: [1, 0, 0], axisB: [0, 1, 0] }, { ...joined, type: 'cylindrical', axis },
    { ...joined, type: 'planar', normal: axis }, { ...joined, type: 'distance', anchorB: [1, 1, 1] },
    { ...joined, type: 'pointOnCurve', curve: { type: 'circle', center: [0, 0, 0], normal: axis, radius: 0.6 } },
  ]
  const figures: Record<string, number> = {}
  for (const spec of specs) {
    const joint = jointConstraint(spec)
    const out = jointEquations(joint)
    figures[`${spec.type}: equations`] = best(() => { for (let i = 0; i < 1000; i++) joint.evaluate(a.initial, b.initial, out) }) / 1000
    if (joint.coordinates === 0) continue
    figures[`${spec.type}: a coordinate`] = best(() => { for (let i = 0; i < 1000; i++) joint.coordinate(0, a.initial, b.initial, 0) }) / 1000
  }
  report('joints', figures)
}

function steps(n: number): void {
  const all = bodies(n)
  const layout = stateLayout(all)
  const state = initialState(layout)
  const scales = new Float64Array(layout.length)
  writeScales(layout, 1, 1, scales)
  const motions: BodyMotion[] = []
  const exists = all.map(() => true)
  const weight = gravity([0, 0, -9.81], all)
  const figures: Record<string, number> = { 'reading all motions': best(() => readMotions(layout, state, motions)) }
  const derivative = (time: number, y: Float64Array, rates: Float64Array): void => {
    readMotions(layout, y, motions)
    writeKinematics(layout, y, motions, exists, rates)
    weight.apply(time, motions, exists, {
      force: (i, [x, y, z]) => rates.set([x, y, z], layout.offsets[i]! + OFFSET_VELOCITY),
      torque: () => undefined,
    })
  }
  const out = new Float64Array(layout.length)
  for (const name of INTEGRATOR_NAMES) {
    const integrator = integratorByName(name, 1e-9)
    figures[`a step of ${name}`] = best(() => {
      integrator.reset()
      integrator.step(derivative, 0, state, 1e-3, scales, out)
    })
  }
  report(`${n} free bodies`, figures)
}

/** A bent hanging chain of n rods, released: 0.1 s of its motion in maximal and in reduced coordinates. */
function chain(n: number): void {
  const length = 0.1
  const bodies: object[] = []
  const joints: object[] = []
  let [x, z] = [0, 0]
  for (let i = 0; i < n; i++) {
    const lean = Math.PI / 2 + 0.5 * Math.sin(i / 7)
    const [dx, dz] = [Math.cos(lean) * length / 2, -Math.sin(lean) * length / 2]
    bodies.push({
      id: `rod${i}`, position: [x + dx, 0, z + dz], orientation: [0, Math.sin(lean / 2), 0, Math.cos(lean / 2)],
      mass: { mass: 0.04, inertia: [2.6e-6, 3.5e-5, 3.5e-5, 0, 0, 0] },
    })
    joints.push({ id: `pin${i}`, type: 'hinge', bodyA: `rod${i}`, bodyB: i === 0 ? null : `rod${i - 1}`, anchor: [x, 0, z], axis: [0, 1, 0] })
    x += 2 * dx
    z += 2 * dz
  }
  const nothing = (): void => undefined
  const figures: Record<string, number> = {}
  for (const coordinates of ['maximal', 'reduced']) {
    const scene = {
      format: 'cairn-scene', version: 1, bodies, joints, simulation: { method: 'event-driven', coordinates, duration: 0.1, outputRate: 20 },
    }
    figures[coordinates] = best(() => simulate(scene, {
      sink: { header: nothing, frame: nothing, contacts: nothing, joints: nothing, forces: nothing, certificate: nothing, script: nothing, deformables: nothing, event: nothing },
      cancelled: () => false, now: () => 0, scripts: { load: id => { throw new Error(`no script ${id}`) }, dispose: nothing },
    }), 3)
  }
  report(`chain of ${n} hinges`, figures)
}

export default function main(): void {
  chain(20)
  chain(200)
  joints()
  steps(10)
  steps(1000)
}
