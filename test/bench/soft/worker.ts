/** Child process: simulates the sheet with one engine and prints its figures. Arguments: cells, engine, steps. */

import { simulate } from '../../../core/simulation'
import { sceneOf } from '../../verification/support'
import { ammo } from './ammo'
import { jolt } from './jolt'
import { mujoco } from './mujoco'
import { BALL, FRICTION, lieOf, MASS, RADIUS, SHEAR, sheetOf, STEP, STRETCH, type Lie, type Sheet, type SoftWorld } from './sheet'

const PEERS: Readonly<Record<string, (load: (path: string) => Promise<unknown>, sheet: Sheet) => Promise<SoftWorld>>> = { jolt, mujoco, ammo }

const [cells, engine, count] = process.argv.slice(2) as [string, string, string]
async function run(): Promise<void> {
  const sheet = sheetOf(Number(cells))
  const steps = Number(count)
  const seen = new Seen(sheet)
  try {
    if (engine === 'cairn') cairn(sheet, steps, seen)
    else follow(await PEERS[engine]!(path => import(/* @vite-ignore */ path), sheet), steps, seen)
  } catch (error) {
    seen.ended = String(error)
  }
  console.log(`  ${cells.padStart(4)} × ${cells}  ${engine.padEnd(8)} ${seen.told()}`)
}

/** Measurements of a run, excluded from its time. */
class Seen {
  ended = ''
  private readonly ms: number[] = []
  private mark = process.cpuUsage()
  private worst: Lie = { deep: 0, crossed: 0, strain: 0 }
  private finite = true

  constructor(private readonly sheet: Sheet) {}

  begin(): void {
    this.mark = process.cpuUsage()
  }

  end(positions: () => ArrayLike<number>): void {
    const { user, system } = process.cpuUsage(this.mark)
    this.ms.push((user + system) / 1000)
    const x = Float64Array.from(positions())
    this.finite &&= x.every(Number.isFinite)
    if (this.finite) {
      const { deep, crossed, strain } = lieOf(this.sheet, x)
      this.worst = { deep: Math.max(this.worst.deep, deep), crossed: this.worst.crossed + crossed, strain: Math.max(this.worst.strain, strain) }
    }
    this.begin()
  }

  told(): string {
    const { ms, worst: { deep, crossed, strain } } = this
    const mean = ms.reduce((sum, x) => sum + x, 0) / ms.length
    const median = [...ms].sort((a, b) => a - b)[Math.floor(ms.length / 2)] ?? NaN
    return `${mean.toFixed(1).padStart(8)} ms a step (median ${median.toFixed(1)})  ${deep.toExponential(1)} m in the ball  ${String(crossed).padStart(6)} crossings  `
      + `strain ${(100 * strain).toFixed(0)} %  ${ms.length} steps${this.finite ? '' : ', not finite'}${this.ended === '' ? '' : `, ${this.ended}`}`
  }
}

function follow(world: SoftWorld, steps: number, seen: Seen): void {
  for (let k = 0; k < steps; k++) {
    seen.begin()
    world.step()
    seen.end(() => world.positions())
  }
}

function cairn({ vertices, triangles }: Sheet, steps: number, seen: Seen): void {
  const scene = sceneOf([{ id: 'ball', type: 'fixed', shapes: [{ type: 'sphere', radius: BALL, material: 'stone' }] }], FRICTION,
    { duration: steps * STEP, outputRate: 1 / STEP, timeStepping: { step: STEP } }, {
      deformables: [{
        id: 'sheet', type: 'cloth', material: 'stone', vertices, triangles, restUV: vertices.map(([u, v]) => [u, v]), radius: RADIUS, arealDensity: MASS,
        damping: 0.02, stretchWarp: STRETCH, stretchWeft: STRETCH, shear: SHEAR,
      }],
    })
  let first = true
  const { status, reason } = simulate(scene, {
    sink: {
      header: () => undefined, frame: () => undefined, joints: () => undefined, forces: () => undefined, script: () => undefined, contacts: () => undefined,
      event: () => undefined, certificate: () => undefined,
      deformables: ({ position }) => {
        if (!first) seen.end(() => position)
        first = false
        seen.begin()
      },
    },
    cancelled: () => false, now: () => 0, scripts: { load: () => { throw new Error('no script here') }, dispose: () => undefined },
  })
  if (status !== 'completed') seen.ended = reason ?? status
}

void run()
