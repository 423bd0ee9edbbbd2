/**
 * The forces of a run sampled on its frame grid, as JSON. A runtime without keyed and scripted forces can apply them externally to reproduce the
 * motion. For each force of the scene and each body it acts on: force and torque about the body's centre of mass, in the world frame, at every listed
 * time.
 */

import type { Vec3 } from '../../math/vector'
import { WRENCH_SOURCES, type ForceFrame } from '../../trajectory/frame'

export interface ForcesSource {
  readonly sceneName: string
  readonly bodyIds: readonly string[]
  readonly forceIds: readonly string[]
  /** m/s² */
  readonly gravity: Vec3
}

interface Series {
  readonly force: string
  readonly body: string
  /** N, N m: six numbers a time. */
  readonly wrench: number[][]
}

const NOTHING = [0, 0, 0, 0, 0, 0]

export function forcesSidecar({ sceneName, bodyIds, forceIds, gravity }: ForcesSource, frames: readonly ForceFrame[]): string {
  const kind = WRENCH_SOURCES.indexOf('force')
  const series = new Map<number, Series>()
  frames.forEach((frame, f) => {
    for (let k = 0; k < frame.source.length; k++) {
      if (frame.sourceKind[k] !== kind) continue
      const [source, body] = [frame.source[k]!, frame.sourceBody[k]!]
      const key = source * bodyIds.length + body
      let one = series.get(key)
      if (one === undefined) {
        one = { force: forceIds[source]!, body: bodyIds[body]!, wrench: Array.from({ length: frames.length }, () => NOTHING) }
        series.set(key, one)
      }
      one.wrench[f] = [...frame.wrench.subarray(6 * k, 6 * k + 6)]
    }
  })
  return `${JSON.stringify({
    format: 'cairn-forces', version: 1, scene: sceneName,
    units: { time: 's', force: 'N', torque: 'N m, about the body\'s centre of mass', axes: 'world, z up' },
    gravity, times: frames.map(({ time }) => time),
    forces: [...series].sort(([a], [b]) => a - b).map(([, one]) => ({
      force: one.force, body: one.body, samples: { force: one.wrench.map(w => w.slice(0, 3)), torque: one.wrench.map(w => w.slice(3)) },
    })),
  })}\n`
}
