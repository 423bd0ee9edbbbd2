/**
 * A run as animated glTF: the node of every body is animated by its recorded poses, and the mesh of every deformable by its shapes. It contains no
 * physics.
 */

import type { ResolvedScene } from '../../scene'
import type { ExportResult, OptionValues } from '../format'
import type { TrajectoryFrame } from '../motion'
import { keysOf } from '../shared/keys'
import { Losses } from '../shared/losses'
import { toYUp, turnToYUp } from './axes'
import { GltfBuilder } from './build'
import { deformableNodes } from './film-deformables'
import type { GltfAnimation } from './json'
import { extentOf } from './write'
import { meshesOf, picturesOf } from '../shared/visuals'
import { placing, shapeNodes, visualNodes } from './write-shapes'

export function filmGltf(scene: ResolvedScene, frames: readonly TrajectoryFrame[], name: string, options: OptionValues): ExportResult {
  const losses = new Losses()
  const builder = new GltfBuilder()
  const extent = extentOf(scene)
  const assets = { meshes: meshesOf(scene), pictures: picturesOf(scene) }
  const colors = new Map(scene.materials.map(({ id, color }) => [id, color]))
  const start = frames[0]?.time ?? 0
  const times = builder.floats(Float32Array.from(frames.map(({ time }) => time - start)), 1, true, null)
  const animation: GltfAnimation = { name: 'run', channels: [], samplers: [] }
  const channel = (node: number, path: string, values: Float32Array, width: 1 | 3 | 4, interpolation: string): void => {
    const sampler = animation.samplers.push({ input: times, output: builder.floats(values, width, false), interpolation }) - 1
    animation.channels.push({ sampler, target: { node, path } })
  }
  const roots = scene.bodies.map((body, i) => {
    const children = body.visuals !== undefined ? visualNodes(body, i, assets, builder, losses) : body.shapes.flatMap((shape, k) => shapeNodes(shape, {
      builder, name: `${body.id}:${k}`, where: `bodies[${i}].shapes[${k}]`, material: builder.material(shape.material, colors.get(shape.material)!),
      physicsMaterial: null, collisionFilter: null, shown: true, extent, implicit: () => 0, losses,
    }))
    const { poses, moves, appears } = keysOf(frames, i, body)
    const node = builder.node({ name: body.id, ...placing(poses[0] ?? body), ...children.length > 0 ? { children } : {} })
    if (moves) {
      channel(node, 'translation', Float32Array.from(poses.flatMap(({ position }) => toYUp(position))), 3, 'LINEAR')
      channel(node, 'rotation', Float32Array.from(poses.flatMap(({ orientation }) => turnToYUp(orientation))), 4, 'LINEAR')
    }
    // A body that has not appeared yet has scale 0.
    if (appears > 0) channel(node, 'scale', Float32Array.from(poses.flatMap((_, f) => f < appears ? [0, 0, 0] : [1, 1, 1])), 3, 'STEP')
    return node
  })
  const soft = deformableNodes(scene, frames, builder, (node, weights) => channel(node, 'weights', weights, 1, 'LINEAR'), losses)
  builder.json.scenes = [{ ...scene.name === undefined ? {} : { name: scene.name }, nodes: [...roots, ...soft] }]
  if (animation.channels.length > 0) builder.animate(animation)
  return { files: builder.files(name, options.text !== true), losses: losses.list }
}
