/** Cost of steps of cloth in contact in whole scenes: processor time and Newton iterations. */

import { crossings } from '../verification/crossings'
import { simulate } from '../../core/simulation'
import { box, floor, sceneOf } from '../verification/support'
import type { Frame } from '../../core/trajectory/frame'

/** n × n cells at height z. */
function sheet(n: number, width: number, z: number, shift = [0, 0]) {
  const at = (k: number): number => (k / n - 0.5) * width
  const vertices = Array.from({ length: (n + 1) * (n + 1) }, (_, k) => [at(Math.floor(k / (n + 1))) + shift[0]!, at(k % (n + 1)) + shift[1]!, z])
  const triangles = Array.from({ length: n * n }, (_, k) => [Math.floor(k / n), k % n] as const).flatMap(([i, j]) => {
    const [a, b, c, d] = [i * (n + 1) + j, (i + 1) * (n + 1) + j, (i + 1) * (n + 1) + j + 1, i * (n + 1) + j + 1]
    return (i + j) % 2 === 0 ? [[a, b, c], [a, c, d]] : [[a, b, d], [b, c, d]]
  })
  return { type: 'cloth', material: 'stone', vertices, triangles, restUV: vertices.map(([u, v]) => [u, v]), damping: 0.02, stretchWarp: 200, stretchWeft: 200, shear: 20 }
}

const ball = { id: 's', type: 'fixed', shapes: [{ type: 'sphere', radius: 0.3, material: 'stone' }] }
const block = { id: 's', type: 'fixed', shapes: [{ type: 'box', size: [0.4, 0.4, 0.4], material: 'stone' }] }
const at = (step: number, duration: number): object => ({ duration, outputRate: 60, timeStepping: { step } })

const rope = (segments: number): object => sceneOf([], 0.3, { duration: 0.5, outputRate: 240, timeStepping: { step: 1 / 240 } }, {
  deformables: [{ id: 'r', type: 'rope', material: 'stone', radius: 0.002, points: [[0, 0, 0], [1, 0, 0]], segments, linearDensity: 0.5, inextensible: true, pins: [0] }],
})

const SCENES: Readonly<Record<string, () => object>> = {
  'sphere 9': () => sceneOf([ball], 0.3, at(1 / 120, 0.4), { deformables: [{ id: 'c', ...sheet(8, 0.8, 0.32) }] }),
  'sphere 17': () => sceneOf([ball], 0.3, at(1 / 60, 1), { deformables: [{ id: 'c', ...sheet(16, 1, 0.32) }] }),
  'sphere 25': () => sceneOf([ball], 0.3, at(1 / 60, 1), { deformables: [{ id: 'c', ...sheet(24, 1, 0.32) }] }),
  'box 25': () => sceneOf([block], 0.3, at(1 / 60, 1), { deformables: [{ id: 'c', ...sheet(24, 1, 0.22) }] }),
  'layers 5': () => sceneOf([floor], 0.3, at(1 / 120, 0.25), { deformables: [0, 1, 2].map(k => ({ id: `l${k}`, ...sheet(4, 1 / 3, 0.015 + 0.02 * k, [0.013 * k, 0.017 * k]) })) }),
  'layers 9': () => sceneOf([floor], 0.3, at(1 / 120, 0.5), { deformables: [0, 1, 2].map(k => ({ id: `l${k}`, ...sheet(8, 1 / 3, 0.015 + 0.02 * k, [0.013 * k, 0.017 * k]) })) }),
  'box on cloth': () => sceneOf([floor, box('load', [0.2, 0.2, 0.2], [0.03, 0.02, 0.3], { linearVelocity: [0, 0, -2], angularVelocity: [1, 2, 0] })], 0.4, at(1 / 120, 0.25),
    { deformables: [{ id: 'c', ...sheet(6, 0.8, 0.0051), damping: 0.02, stretchWarp: 500, stretchWeft: 500, shear: 50 }] }),
  'rope of 100 rods': () => rope(100),
  'rope of 1000 rods': () => rope(1000),
}

export default function main(names: string[]): void {
  const wanted = names.some(name => !name.startsWith('-')) ? names.filter(name => !name.startsWith('-')) : Object.keys(SCENES)
  const rows = wanted.map(name => {
    const scene = SCENES[name]!() as { deformables: { triangles?: number[][]; vertices?: number[][] }[] }
    const iterations: number[] = []
    const linear: number[] = []
    const frames: Frame[] = []
    let [crossed, degraded, deepest] = [0, 0, 0]
    let first = 0
    const triangles = scene.deformables.flatMap(({ triangles: own = [], vertices = [] }) => {
      const shifted = own.map(triangle => triangle.map(v => v + first))
      first += vertices.length
      return shifted
    })
    let counting = 0
    const start = process.cpuUsage().user
    const { status } = simulate(scene, {
      sink: {
        header: () => undefined, frame: frame => frames.push(frame), joints: () => undefined, forces: () => undefined, script: () => undefined,
        contacts: ({ gap }) => { for (const value of gap) deepest = Math.max(deepest, -value) },
        event: ({ kind, message }) => { if (kind === 'degraded') { degraded++; if (names.includes('--events')) console.log(message) } },
        deformables: frame => {
          iterations.push(frame.iterations)
          linear.push(frame.linearIterations)
          const before = process.cpuUsage().user
          crossed += crossings(frame.position, triangles)
          counting += process.cpuUsage().user - before
        },
        certificate: () => undefined,
      },
      cancelled: () => false, now: () => 0, scripts: { load: () => { throw new Error('no script here') }, dispose: () => undefined },
    })
    const ms = (process.cpuUsage().user - start - counting) / 1000
    const mean = (list: number[]): string => (list.slice(1).reduce((sum, n) => sum + n, 0) / (list.length - 1)).toFixed(1)
    if (names.includes('--iterations')) console.log(name, iterations.join(' '))
    return { scene: name, status, 'ms a frame': (ms / (frames.length - 1)).toFixed(1), Newton: mean(iterations), most: Math.max(...iterations), linear: mean(linear), crossed, degraded, deepest: deepest.toExponential(1) }
  })
  console.table(rows)
}
