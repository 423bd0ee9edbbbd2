/** Cost of a swinging chain of 200 hinged bodies in reduced and in maximal coordinates, in processor time; of two runs each, the second counts. */

import { simulate } from '../../core/simulation'
import { box, sceneOf, turn } from '../verification/support'

const LENGTH = 0.1
/** rad: each rod against the one before. */
const LEAN = 0.002

function chain(n: number): { bodies: object[]; joints: object[] } {
  const bodies: object[] = []
  const joints: object[] = []
  let [x, z] = [0, 0]
  for (let i = 0; i < n; i++) {
    const lean = Math.PI / 2 + LEAN * (i + 1)
    const [dx, dz] = [Math.cos(lean) * LENGTH / 2, -Math.sin(lean) * LENGTH / 2]
    bodies.push({
      ...box(`rod${i}`, [LENGTH, 0.02, 0.02], [x + dx, 0, z + dz], { collision: { mask: 0 }, orientation: turn([0, 1, 0], lean) }),
      mass: { mass: 0.1, inertia: [1e-5, 9e-5, 9e-5, 0, 0, 0] },
    })
    joints.push({ id: `pin${i}`, type: 'hinge', bodyA: `rod${i}`, bodyB: i === 0 ? null : `rod${i - 1}`, anchor: [x, 0, z], axis: [0, 1, 0] })
    x += 2 * dx
    z += 2 * dz
  }
  return { bodies, joints }
}

function cost(n: number, simulation: object): number {
  const { bodies, joints } = chain(n)
  const scene = sceneOf(bodies, 0, { duration: 0.1, outputRate: 100, ...simulation }, { joints })
  const start = process.cpuUsage()
  const { status, reason } = simulate(scene, {
    sink: {
      header: () => undefined, frame: () => undefined, joints: () => undefined, forces: () => undefined, script: () => undefined, contacts: () => undefined,
      event: () => undefined, certificate: () => undefined, deformables: () => undefined,
    },
    cancelled: () => false, now: () => 0, scripts: { load: () => { throw new Error('no script here') }, dispose: () => undefined },
  })
  if (status !== 'completed') throw new Error(`${status}: ${reason}`)
  const { user, system } = process.cpuUsage(start)
  return (user + system) / 1000
}

export default function main(): void {
  const rows = [['event-driven', {}], ['time-stepping', { timeStepping: { step: 0.002 } }]].flatMap(([method, rest]) => [50, 200].map(n => {
    const both = ['maximal', 'reduced'].map(coordinates => [0, 1].map(() => cost(n, { method, coordinates, ...rest as object }))[1]!)
    return { method, bodies: n, 'maximal, ms': both[0]!.toFixed(0), 'reduced, ms': both[1]!.toFixed(0), 'reduced ÷ maximal': (both[1]! / both[0]!).toFixed(2) }
  }))
  console.table(rows)
}
