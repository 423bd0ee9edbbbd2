/**
 * Deformables of a run in animated glTF: one mesh each, with one morph target a frame, one of which is active at a time. Players interpolate linearly
 * between frames, as they do for bodies.
 */

import { DeformableSurface } from '../../analysis/deformable-surface'
import type { ResolvedScene } from '../../scene'
import type { TrajectoryFrame } from '../motion'
import { FormatError } from '../shared/error'
import type { Losses } from '../shared/losses'
import type { GltfBuilder } from './build'

/** Most corners of all targets of an animation; each takes 24 bytes. */
const MAX_CORNERS = 5_000_000
/** Most targets of a mesh: each frame has a weight for every target. */
const MAX_TARGETS = 3000

/** Particles of a deformable in a frame; the initial ones if the run has not recorded them. */
type ParticlesOf = (frame: number) => Float64Array

/** Nodes of the scene's deformables. @param animate adds a channel with this many weights a frame to a node */
export function deformableNodes(
  scene: ResolvedScene, frames: readonly TrajectoryFrame[], builder: GltfBuilder, animate: (node: number, weights: Float32Array) => void, losses: Losses,
): number[] {
  const colors = new Map(scene.materials.map(({ id, color }) => [id, color]))
  let first = 0
  let corners = 0
  return scene.deformables.map((deformable, d) => {
    const surface = new DeformableSurface([deformable])
    const start = first
    first += surface.initial.length
    const particles: ParticlesOf = frame => frames[frame]?.particles?.subarray(start, first) ?? surface.initial
    if (frames.some(frame => frame.particles === undefined)) losses.add(`deformables[${d}]`, `the run has no recorded positions of "${deformable.id}"`, 'its initial positions')
    const moving = frames.some((_, f) => particles(f).some((x, i) => x !== particles(0)[i]))
    const targets = moving ? frames.length - 1 : 0
    corners += surface.positions.length / 3 * (targets + 1)
    if (corners > MAX_CORNERS || targets > MAX_TARGETS) {
      throw new FormatError('TooMany', 'rate', `${frames.length} frames of "${deformable.id}" are too many for one film.`, {
        value: frames.length, allowed: `at most ${MAX_TARGETS + 1} frames, and ${MAX_CORNERS} corners in all of them: choose fewer frames a second`,
      })
    }
    const base = placed(surface, particles(0))
    const shift = (f: number): Placed => {
      const { positions, normals } = placed(surface, particles(f))
      return { positions: positions.map((x, i) => x - base.positions[i]!), normals: normals.map((x, i) => x - base.normals[i]!) }
    }
    const mesh = builder.morphing(
      base.positions, base.normals, surface.indices, builder.material(deformable.material, colors.get(deformable.material)!, true),
      Array.from({ length: targets }, (_, t) => shift(t + 1)),
    )
    const node = builder.node({ name: deformable.id, mesh })
    if (moving) {
      const weights = new Float32Array(frames.length * targets)
      for (let t = 0; t < targets; t++) weights[(t + 1) * targets + t] = 1
      animate(node, weights)
    }
    return node
  })
}

interface Placed {
  readonly positions: Float32Array
  readonly normals: Float32Array
}

/** The surface in glTF's axes, with unit normals. */
function placed(surface: DeformableSurface, particles: Float64Array): Placed {
  surface.place(particles, [0, 0, 0])
  const positions = yUp(surface.positions)
  const normals = yUp(surface.normals)
  for (let i = 0; i < normals.length; i += 3) {
    const size = Math.sqrt(normals[i]! * normals[i]! + normals[i + 1]! * normals[i + 1]! + normals[i + 2]! * normals[i + 2]!)
    // A corner with only degenerate triangles has no normal; a fixed one is used.
    const [x, y, z] = size > 0 ? [normals[i]! / size, normals[i + 1]! / size, normals[i + 2]! / size] : [0, 1, 0]
    normals.set([x, y, z], i)
  }
  return { positions, normals }
}

function yUp(values: Float32Array): Float32Array {
  const turned = new Float32Array(values.length)
  for (let i = 0; i < values.length; i += 3) {
    turned[i] = values[i]!
    turned[i + 1] = values[i + 2]!
    turned[i + 2] = values[i + 1] === 0 ? 0 : -values[i + 1]!
  }
  return turned
}
