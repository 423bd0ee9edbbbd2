/** TR-BDF2 from the command line: a rope on a jointed body, its channels in `inspect` and in tables, and what it refuses. */

import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { commandLine, errors, json } from './command-line'

const { cairn, folder } = commandLine()
const m = 2
/** A hinged arm, a rope of rods on its end, and a bob on the rope's end by a constraint between two deformables. */
const scene = (timeStepping: object, simulation: object = {}): object => ({
  format: 'cairn-scene', version: 1, materials: [{ id: 'oak', density: 100 }],
  bodies: [{ id: 'arm', position: [0.5, 0, 1], shapes: [{ type: 'box', size: [1, 0.1, 0.1], material: 'oak' }] }],
  joints: [{ id: 'hinge', type: 'hinge', bodyA: 'arm', bodyB: null, anchor: [0, 0, 1], axis: [0, 1, 0] }],
  deformables: [
    { id: 'rope', type: 'rope', material: 'oak', radius: 0.005, points: [[1.05, 0, 1], [1.05, 0, 0.5]], segments: 5, inextensible: true, linearDensity: 1, attachments: [{ vertex: 0, body: 'arm' }] },
    {
      id: 'bob', type: 'particles', material: 'oak', radius: 0.01, particles: [{ position: [1.05, 0, 0.3], mass: m }],
      constraints: [{ condition: { type: 'distance', vertices: [0], others: [{ type: 'vertex', deformable: 'rope', vertex: 5 }] } }],
    },
  ],
  simulation: { duration: 0.5, outputRate: 120, method: 'time-stepping', timeStepping: { step: 1 / 120, ...timeStepping }, ...simulation },
})
function simulated(name: string, timeStepping: object, simulation?: object) {
  const file = join(folder, `${name}.cairn.json`)
  writeFileSync(file, JSON.stringify(scene(timeStepping, simulation)))
  return cairn('simulate', file, '-o', `${name}.mcap`, '--json')
}
/** Rows of a table as records of text. */
function rows(run: string, what: string): Record<string, string>[] {
  expect(cairn('table', run, '--what', what, '--to', 'csv', '-o', `${what}.csv`).code).toBe(0)
  const [head, ...lines] = readFileSync(join(folder, `${what}.csv`), 'utf8').trim().split('\n').map(line => line.split(','))
  return lines.map(line => Object.fromEntries(head!.map((name, k) => [name, line[k]!])))
}

describe('a run by TR-BDF2', () => {
  beforeAll(() => {
    for (const method of ['tr-bdf2', 'euler']) expect(simulated(method, { implicitMethod: method })).toMatchObject({ code: 0 })
  }, 60_000)

  it('is balanced: energy, joint, and the force on the bob, which its motion needs, in the tables', () => {
    const certificate = json(cairn('inspect', 'tr-bdf2.mcap', '--certificate', '--time', '0.5', '--json')) as { certificate: { energy: Record<string, number>; maxJointError: number } }
    expect(Math.abs(certificate.certificate.energy.residual!)).toBeLessThan(1e-9)
    expect(certificate.certificate.maxJointError).toBeLessThan(1e-11)
    const of = (list: Record<string, string>[]) => list.filter(({ deformable }) => deformable === 'bob')
    const [vertices, reactions] = [of(rows('tr-bdf2.mcap', 'vertices')), of(rows('tr-bdf2.mcap', 'reactions'))]
    expect(vertices.length).toBe(61)
    expect(reactions.length).toBe(61)
    for (let n = 1; n < vertices.length; n++) {
      for (const axis of ['x', 'y', 'z']) {
        const change = Number(vertices[n]![`velocity_${axis}`]) - Number(vertices[n - 1]![`velocity_${axis}`])
        expect(Math.abs(Number(reactions[n]![`force_${axis}`]) - m * (change * 120 + (axis === 'z' ? 9.81 : 0)))).toBeLessThan(1e-6)
      }
    }
    const [frame] = of(rows('tr-bdf2.mcap', 'deformables')).slice(-1)
    expect(Number(frame!.iterations)).toBeGreaterThan(0)
    expect(Number(frame!.residual)).toBeLessThan(1e-8)
  })

  it('says the same of the bob in `inspect` and in the table', () => {
    const { deformables } = json(cairn('inspect', 'tr-bdf2.mcap', '--deformables', '--time', '0.5', '--json')) as { deformables: { id: string; reactions: number[][] }[] }
    const last = rows('tr-bdf2.mcap', 'reactions').filter(({ deformable }) => deformable === 'bob').at(-1)!
    expect(deformables.find(({ id }) => id === 'bob')!.reactions).toEqual([['x', 'y', 'z'].map(axis => Number(last[`force_${axis}`]))])
  })

  it('is another motion than implicit Euler\'s, near it', () => {
    const last = (run: string) => Number(rows(run, 'vertices').at(-1)!.position_x)
    const apart = Math.abs(last('tr-bdf2.mcap') - last('euler.mcap'))
    expect(apart).toBeGreaterThan(1e-4)
    expect(apart).toBeLessThan(0.05)
  })
})

describe('what an implicit method refuses, before the run, with exit code 2', () => {
  it.each(['tr-bdf2', 'euler'])('reduced coordinates of joints in a scene with deformables: %s', implicitMethod => {
    const answer = simulated('reduced', { implicitMethod }, { coordinates: 'reduced' })
    expect(answer.code).toBe(2)
    expect(errors(answer)[0]).toMatchObject({ name: 'NotSupported', path: 'simulation.coordinates', value: 'reduced', allowed: 'maximal', ids: ['rope', 'bob'] })
  })

  it.each(['event-driven', 'penalty'])('the method %s', method => {
    const answer = simulated('other', { implicitMethod: 'tr-bdf2' }, { method })
    expect(answer.code).toBe(2)
    expect(errors(answer)[0]).toMatchObject({ name: 'NotSupported', path: 'simulation.method', allowed: 'auto, time-stepping' })
  })

  it('an unknown name', () => {
    const answer = simulated('unknown', { implicitMethod: 'tr-bdf3' })
    expect(answer.code).toBe(2)
    expect(errors(answer)[0]).toMatchObject({ path: 'simulation.timeStepping.implicitMethod', value: 'tr-bdf3', allowed: 'one of euler, tr-bdf2' })
  })
})
