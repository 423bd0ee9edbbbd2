/** Cloth, ropes, hair and particles in animations of a run: every vertex is at its recorded position, in third-party readers. */

import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { WebIO, type Primitive } from '@gltf-transform/core'
import { expect, it } from 'vitest'
import { DeformableSurface } from '../../../../core/analysis/deformable-surface'
import { completeOptions, formatById, type TrajectoryFrame } from '../../../../core/formats'
import { filmGltf } from '../../../../core/formats/gltf/film'
import { filmUsd } from '../../../../core/formats/usd/film'
import { walk } from '../../../../core/formats/usd/layer'
import { readUsda } from '../../../../core/formats/usd/usda-read'
import { requireScene, resolveScene, type ResolvedScene, type Scene } from '../../../../core/scene'
import { recorded } from '../../../verification/support'

const require = createRequire(import.meta.url)
const validator = require('gltf-validator') as { validateBytes(bytes: Uint8Array, options?: object): Promise<{ issues: { numErrors: number; messages: { code: string }[] } }> }

const scene = resolveScene(requireScene({
  format: 'cairn-scene', version: 1, materials: [{ id: 'stuff', color: '#3366cc' }],
  bodies: [{ id: 'ball', position: [0, 0, 1], shapes: [{ type: 'sphere', radius: 0.1, material: 'stuff' }] }],
  deformables: [
    { id: 'sheet', type: 'cloth', material: 'stuff', vertices: [[0, 0, 1], [1, 0, 1], [0, 1, 1], [1, 1, 1.25]], triangles: [[0, 1, 2], [1, 3, 2]] },
    { id: 'line', type: 'rope', material: 'stuff', points: [[0, 0, 2], [1, 0, 2]], segments: 4, radius: 0.01 },
    { id: 'curl', type: 'hair', material: 'stuff', strands: [{ points: [[3, 0, 1], [3, 0, 1.1], [3.05, 0, 1.2]] }] },
    { id: 'grid', type: 'particles', material: 'stuff', particles: [{ position: [5, 0, 1], mass: 1 }, { position: [6, 0, 1], mass: 1 }], springs: [{ a: 0, b: 1, restLength: 1, stiffness: 10 }] },
  ],
}))
const initial = new DeformableSurface(scene.deformables).initial
/** Each particle goes its own way. */
const frames: TrajectoryFrame[] = [0, 0.1, 0.2, 0.3].map((time, f) => ({
  time, poses: [{ position: [0, 0, 1 - time], orientation: [0, 0, 0, 1] }], particles: initial.map((x, i) => x + f * 0.01 * ((i * 7) % 5 - 2)),
}))

async function worstOffGltf(document: ResolvedScene, film: readonly TrajectoryFrame[]): Promise<number> {
  const bytes = filmGltf(document, film, 'film', { text: false }).files[0]!.content as Uint8Array
  const { issues } = await validator.validateBytes(bytes, { maxIssues: 20 })
  expect(issues.messages.filter(({ code }) => issues.numErrors > 0 && !code.startsWith('UNSUPPORTED'))).toEqual([])
  const root = (await new WebIO().readBinary(bytes)).getRoot()
  let worst = 0
  let first = 0
  for (const deformable of document.deformables) {
    const surface = new DeformableSurface([deformable])
    const [start, end] = [first, first + surface.initial.length]
    first = end
    const found = root.listNodes().find(one => one.getName() === deformable.id)!
    const primitive = found.getMesh()!.listPrimitives()[0]!
    const weights = root.listAnimations()[0]!.listChannels().find(channel => channel.getTargetNode() === found && channel.getTargetPath() === 'weights')!.getSampler()!.getOutput()!.getArray()!
    film.forEach(({ particles }, f) => {
      surface.place(particles!.subarray(start, end), [0, 0, 0])
      morphed(primitive, weights, f).forEach((p, v) => {
        const seen = [p[0]!, -p[2]!, p[1]!]
        seen.forEach((x, k) => { worst = Math.max(worst, Math.abs(x - surface.positions[3 * v + k]!)) })
      })
    })
  }
  return worst
}

/** Corners with the weights of a frame. */
function morphed(primitive: Primitive, weights: ArrayLike<number>, frame: number): number[][] {
  const base = primitive.getAttribute('POSITION')!
  const targets = primitive.listTargets()
  const now = targets.map((_, t) => weights[frame * targets.length + t]!)
  return Array.from({ length: base.getCount() }, (_, v) => {
    const p = base.getElement<number[]>(v, [])
    targets.forEach((target, t) => target.getAttribute('POSITION')!.getElement<number[]>(v, []).forEach((x, k) => { p[k] = p[k]! + now[t]! * x }))
    return p
  })
}

it('in glTF are meshes that change their shape, frame by frame', async () => {
  expect(await worstOffGltf(scene, frames)).toBeLessThan(1e-6)
})

it('of a flag in the wind are at the recorded positions', async () => {
  const flag = JSON.parse(readFileSync('scenes/flag-in-the-wind.cairn.json', 'utf8')) as Scene
  const document = { ...flag, simulation: { ...flag.simulation, duration: 0.2 } }
  const short = resolveScene(requireScene(document))
  const run = recorded(document)
  const film = run.frames.map((frame, f): TrajectoryFrame => ({
    time: frame.time, poses: short.bodies.map(({ position, orientation }) => ({ position, orientation })), particles: run.deformables[f]!.position,
  }))
  expect(film.length).toBeGreaterThan(3)
  expect(film.at(-1)!.particles).not.toEqual(film[0]!.particles)
  expect(await worstOffGltf(short, film)).toBeLessThan(1e-6)
}, 60_000)

it('in USD are meshes, curves and points with time samples', () => {
  const { files, losses } = filmUsd(scene, frames, 'film')
  expect(losses).toEqual([])
  const prims = new Map([...walk(readUsda(files[0]!.content as string).prims)].map(prim => [prim.name, prim]))
  expect(['sheet', 'line', 'curl', 'grid', 'grid_springs'].map(name => prims.get(name)!.type)).toEqual(['Mesh', 'BasisCurves', 'BasisCurves', 'Points', 'BasisCurves'])
  const points = ['sheet', 'line', 'curl', 'grid'].map(name => prims.get(name)!.attributes.get('points')!.samples)
  frames.forEach(({ particles }, f) => {
    expect(points.map(samples => samples[f]![0])).toEqual([f, f, f, f])
    expect(points.flatMap(samples => samples[f]![1]).flat()).toEqual([...particles!])
  })
  expect(prims.get('curl')!.attributes.get('widths')!.value).toEqual([2 * 0.005])
})

it('not recorded by a run are reported, and keep their initial shape', () => {
  const without = frames.map(({ time, poses }) => ({ time, poses }))
  for (const { losses } of [filmGltf(scene, without, 'film', { text: false }), filmUsd(scene, without, 'film')]) {
    expect(losses.filter(({ path }) => path.startsWith('deformables')).map(({ path }) => path)).toEqual([0, 1, 2, 3].map(d => `deformables[${d}]`))
  }
})

it('are bounded: too many frames are refused with what is allowed', () => {
  const many = Array.from({ length: 3100 }, (_, f) => ({ ...frames[f % 4]!, time: f / 100 }))
  expect(() => filmGltf(scene, many, 'film', { text: false })).toThrow(expect.objectContaining({ name: 'TooMany', path: 'rate' }) as Error)
})

it.each(['mjcf', 'urdf', 'sdf', 'gltf', 'usda', 'obj', 'stl'])('%s reports each that it omits', async id => {
  const { exporter } = formatById(id)!
  const paths = (await exporter!.run(scene, 'soft', completeOptions(exporter!.options))).losses.map(({ path }) => path)
  expect(paths.some(path => path.startsWith('deformables'))).toBe(true)
})
