/** Runs one scene with one engine and prints the figures of test/bench/rapier.ts as JSON. */

import { BODY_STRIDE } from '../../../core/trajectory/frame'
import type { Pose } from '../../../core/math/pose'
import { resolveScene, type Scene } from '../../../core/scene'
import { simulate } from '../../../core/simulation'
import { overlapIn } from './overlap'
import { SCENES, STEP } from './scenes'
import { RapierWorld } from './world'

export interface Figures {
  readonly status: string
  readonly steps: number
  /** Processor time of all steps, s, without measuring overlap. */
  readonly seconds: number
  /** Mean over all frames, m³. */
  readonly volume: number
  /** Largest of all frames, m. */
  readonly depth: number
  /** Positions of all bodies at the end, m. */
  readonly positions: readonly number[]
  /** Events of Cairn that say an answer is less exact; its largest energy residual. */
  readonly degraded?: number
  readonly residual?: number
}

const used = (): number => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1e6
}

async function main(): Promise<void> {
  const [engine, name] = process.argv.slice(2)
  const scene = SCENES[name!]!()
  console.log(JSON.stringify(engine === 'rapier' ? await byRapier(scene) : byCairn(scene)))
}

async function byRapier(scene: Scene): Promise<Figures> {
  const resolved = resolveScene(scene)
  const world = await RapierWorld.create(resolved, STEP)
  const kept: Pose[][] = []
  const steps = Math.round(scene.simulation!.duration! / STEP)
  const from = used()
  for (let i = 0; i < steps; i++) {
    world.step()
    kept.push(world.poses())
  }
  return { status: 'completed', steps, seconds: used() - from, ...measured(scene, kept) }
}

function byCairn(scene: Scene): Figures {
  const kept: Pose[][] = []
  let [degraded, residual] = [0, 0]
  const ignored = (): void => undefined
  const from = used()
  const end = simulate(scene, {
    sink: {
      header: ignored, contacts: ignored, joints: ignored, forces: ignored, script: ignored, deformables: ignored, sensors: ignored,
      frame: ({ index, bodies }) => {
        if (index > 0) kept.push(posesIn(bodies))
      },
      certificate: ({ energy }) => { residual = Math.max(residual, Math.abs(energy.residual)) },
      event: ({ kind }) => { if (kind === 'degraded') degraded++ },
    },
    cancelled: () => false, scripts: { load: () => { throw new Error('these scenes have no scripts') }, dispose: ignored }, now: () => 0,
  })
  if (end.status === 'stopped') throw new Error(`${end.reason} at ${end.simulatedTime} s: ${end.message}`)
  return { status: end.status, steps: kept.length, seconds: used() - from, degraded, residual, ...measured(scene, kept) }
}

function measured(scene: Scene, frames: readonly Pose[][]): { volume: number, depth: number, positions: number[] } {
  const overlap = overlapIn(resolveScene(scene))
  let [volume, depth] = [0, 0]
  for (const poses of frames) {
    const found = overlap(poses)
    volume += found.volume / frames.length
    depth = Math.max(depth, found.depth)
  }
  return { volume, depth, positions: frames.at(-1)!.flatMap(({ position }) => [...position]) }
}

function posesIn(bodies: Float64Array): Pose[] {
  return Array.from({ length: bodies.length / BODY_STRIDE }, (_, i): Pose => {
    const [x, y, z, a, b, c, d] = bodies.subarray(i * BODY_STRIDE, i * BODY_STRIDE + 7)
    return { position: [x!, y!, z!], orientation: [a!, b!, c!, d!] }
  })
}

void main()
