/** Runs converted scenes and measures their overlap. */

import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { createPrimitives } from '../../../core/geometry/primitives'
import { CONTACT_GAP } from '../../../core/math/tolerances'
import { length } from '../../../core/math/vector'
import { worstOverlap } from '../overlap'
import { recorded } from '../support'
import { AbsentError, convert, FIXTURES, type ConvertedScene } from './convert'

export interface Outcome {
  readonly scene: string
  /** Status of the run; `absent` if files of the fixture are missing. */
  readonly status: string
  readonly message: string
  /** s */
  readonly time: number
  readonly frames: number
  readonly events: number
  /** Largest overlap in any frame, m³, over the cube of the smallest moving body's radius. */
  readonly overlap: number
  /** m: largest penetration in the certificates, and the gap that counts as contact. */
  readonly penetration: number
  readonly contactTolerance: number
}

/** All fixtures of these folders below `fixtures/3D`, as `convert` takes them. */
export function fixtures(...folders: readonly string[]): string[] {
  return folders.flatMap(folder => readdirSync(join(FIXTURES, 'fixtures/3D', folder)).filter(name => name.endsWith('.json'))
    .map(name => `${folder}/${name.slice(0, -5)}`))
}

export function outcome(name: string, cancelled?: () => boolean): Outcome {
  let scene: ConvertedScene
  try {
    scene = convert(name)
  } catch (error) {
    if (!(error instanceof AbsentError)) throw error
    return { scene: name, status: 'absent', message: error.message, time: 0, frames: 0, events: 0, overlap: 0, penetration: 0, contactTolerance: 0 }
  }
  const run = recorded(scene, undefined, cancelled)
  const radii = scene.bodies.filter(body => body.type === 'dynamic').map(radiusOf)
  const radius = Math.min(...radii)
  return {
    scene: name, status: run.end.status, message: run.end.message, time: run.frames.at(-1)?.time ?? 0, frames: run.frames.length, events: run.events.length,
    overlap: worstOverlap(scene.bodies, run) / (radius * radius * radius),
    penetration: run.certificates.reduce((worst, c) => Math.max(worst, c.maxPenetration), 0),
    contactTolerance: CONTACT_GAP * Math.max(...radii),
  }
}

function radiusOf(body: ConvertedScene['bodies'][number]): number {
  return Math.max(...body.shapes.flatMap(shape => createPrimitives(shape).map(primitive => {
    const { min, max } = primitive.bounds
    return length([max[0] - min[0], max[1] - min[1], max[2] - min[2]]) / 2
  })))
}
