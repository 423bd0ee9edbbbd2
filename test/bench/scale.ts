/**
 * Cost of a step as scenes grow: columns of four slightly rotated boxes, dropped by a millimetre, so that every size has the same number of contacts
 * per body. Processor time, memory and the exponent of the time. A scene has at most 10,000 bodies, including the floor.
 *
 *   npm run bench -- scale [--bodies 100,300,1000,3000,9996] [--steps 20] [--model standard | peg] [--tolerance 1e-4]
 */

import { parseArgs } from 'node:util'
import { simulate } from '../../core/simulation'
import { contactCounting } from './support/sink'

export default function (args: string[]): void {
  const { values } = parseArgs({
    args,
    options: {
      bodies: { type: 'string', default: '100,300,1000,3000,9996' }, steps: { type: 'string', default: '20' }, model: { type: 'string', default: 'standard' },
      tolerance: { type: 'string' },
    },
  })
  const sizes = values.bodies.split(',').map(Number)
  const steps = Number(values.steps)
  if (![...sizes, steps].every(n => Number.isInteger(n) && n > 0)) throw new Error('--bodies and --steps have to be whole numbers above 0')
  const tolerance = values.tolerance === undefined ? undefined : Number(values.tolerance)
  let first: { bodies: number, ms: number } | null = null
  for (const bodies of sizes) {
    const { ms, contacts, memory, status } = run(bodies, steps, values.model, tolerance)
    first ??= { bodies, ms }
    const exponent = bodies === first.bodies ? '' : `exponent from ${first.bodies}: ${(Math.log(ms / first.ms) / Math.log(bodies / first.bodies)).toFixed(2)}`
    console.log(`  ${String(bodies).padStart(6)} bodies  ${String(contacts).padStart(6)} contacts  ${ms.toFixed(2).padStart(9)} ms a step  `
      + `${memory.toFixed(0).padStart(5)} MB  ${status}  ${exponent}`)
  }
}

function run(bodies: number, steps: number, contactModel: string, tolerance: number | undefined): { ms: number, contacts: number, memory: number, status: string } {
  const side = Math.ceil(Math.sqrt(bodies / 4))
  const boxes = Array.from({ length: bodies }, (_, i) => {
    const column = Math.floor(i / 4)
    const angle = 0.1 * (i % 7)
    return {
      id: `b${i}`, type: 'dynamic', position: [1.5 * (column % side), 1.5 * Math.floor(column / side), 0.501 + 1.001 * (i % 4)],
      orientation: [0, 0, Math.sin(angle / 2), Math.cos(angle / 2)], shapes: [{ type: 'box', size: [1, 1, 1], material: 'm' }],
    }
  })
  const scene = {
    format: 'cairn-scene', version: 1, materials: [{ id: 'm', density: 1000, friction: { static: 0.5, dynamic: 0.5 } }],
    bodies: [{ id: 'floor', type: 'fixed', shapes: [{ type: 'halfSpace', normal: [0, 0, 1], offset: 0, material: 'm' }] }, ...boxes],
    simulation: { method: 'time-stepping', duration: (steps + 1) / 60, outputRate: 60, timeStepping: { step: 1 / 60, contactModel, ...(tolerance === undefined ? {} : { tolerance }) } },
  }
  const counting = contactCounting()
  const end = simulate(scene, {
    sink: counting.sink, cancelled: () => false, now: () => performance.now() / 1000,
    scripts: { load: () => { throw new Error('the benchmark has no scripts') }, dispose: () => undefined },
  })
  return { ms: counting.median(), contacts: counting.contacts(), memory: process.memoryUsage().rss / 1e6, status: end.status }
}
