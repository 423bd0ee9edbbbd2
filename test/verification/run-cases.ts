/** Runs the known answers of one method, one test each, and stores their comparisons for the table of `npm run verify`. */

import { readdirSync, readFileSync } from 'node:fs'
import { expect, it, type TaskMeta } from 'vitest'
import { absolute, CERTIFICATE, converged, verdict, type Comparison, type VerificationCase } from './cases/case'
import { recorded, worst, type Recorded } from './support'
import { answersOf } from './table'

declare module 'vitest' {
  interface TaskMeta {
    /** Rows of the table. */
    known?: readonly Comparison[]
  }
}

const folder = new URL('cases/', import.meta.url)

/** All cases, in the order of their modules' names; a module of cases exports them as `cases`. */
export async function allCases(): Promise<VerificationCase[]> {
  const names = readdirSync(folder).filter(name => name.endsWith('.ts') && name !== 'case.ts').sort()
  const modules = await Promise.all(names.map(name => import(`./cases/${name.slice(0, -3)}.ts`) as Promise<{ cases: readonly VerificationCase[] }>))
  return modules.flatMap(module => module.cases)
}

/** The scene of a case with the case's own settings. */
export function sceneOfCase({ scene, method, simulation }: VerificationCase): object {
  const document = JSON.parse(readFileSync(new URL(`../../scenes/verification/${scene}.cairn.json`, import.meta.url), 'utf8')) as
    { readonly simulation?: Readonly<Record<string, unknown>> }
  const settings: Record<string, unknown> = { ...document.simulation, method }
  for (const [key, value] of Object.entries(simulation ?? {})) {
    const own = settings[key]
    settings[key] = typeof value === 'object' && !Array.isArray(value) && own !== undefined ? { ...own as object, ...value as object } : value
  }
  return { ...document, simulation: settings }
}

/** Scenes whose known answers take more than a few seconds. */
const LONG_SCENES: ReadonlySet<string> = new Set([
  'andrews-squeezer', 'arch-0.1', 'arch-0.106', 'arch-0.108', 'arch-0.12', 'bouncing-ball-0.9', 'bricard', 'double-pendulum', 'heavy-symmetric-top',
])

/** Time-stepping cases that also measure the order of convergence; the event-driven method computes the same answers in less time. */
const LONG_IN_STEPS: ReadonlySet<string> = new Set(['physical-pendulum', 'gears-on-moving-frames', 'conical-pendulum', 'free-asymmetric-top'])

function takesLong({ scene, method }: VerificationCase): boolean {
  return LONG_SCENES.has(scene) || (method === 'time-stepping' && LONG_IN_STEPS.has(scene))
}

/** The certificate of a run, and its comparison with the known answers. */
export function comparedWith(known: VerificationCase, run: Recorded): readonly Comparison[] {
  return [...certified(known, run), ...known.compare(run)]
}

export function runCases(cases: readonly VerificationCase[]): void {
  for (const known of cases) {
    it(`${known.title} (${known.scene})`, { tags: takesLong(known) ? ['long'] : [] }, context => {
      const run = recorded(sceneOfCase(known))
      const rows = [...comparedWith(known, run), ...order(known, run)];
      (context.task.meta as TaskMeta).known = rows
      for (const { quantity, expected, got, error, tolerance } of rows) {
        expect(error, `${quantity}: expected ${expected}, got ${got}`).toBeLessThanOrEqual(tolerance)
      }
      for (const [quantity, tolerance] of answersOf(known)) {
        const row = rows.find(one => one.quantity.startsWith(quantity))
        expect(row?.tolerance ?? Infinity, `tolerance of "${quantity}", which the table of known answers asks for`).toBeLessThanOrEqual(tolerance)
      }
    })
  }
}

/** Order of convergence of a time-stepped case. */
function order(known: VerificationCase, run: Recorded): Comparison[] {
  const { convergence, simulation } = known
  if (convergence === undefined) return []
  const { halvings = 1, phases = 1, duration, error } = convergence
  const settings = simulation?.timeStepping as { readonly step: number }
  const errorAt = (step: number): number =>
    error(step === settings.step ? run : recorded(sceneOfCase({
      ...known, simulation: { ...simulation, timeStepping: { ...settings, step }, ...(duration === undefined ? {} : { duration }) },
    })))
  const mean = (step: number): number =>
    Array.from({ length: phases }, (_, k) => errorAt(step * 4 / (4 + k))).reduce((sum, value) => sum + value, 0) / phases
  return [converged(convergence, [mean(settings.step), mean(settings.step / 2 ** halvings)])]
}

/** The end of the run, and bounds on its certificate. */
function certified({ method, certificate, ends = 'completed' }: VerificationCase, run: Recorded): Comparison[] {
  const bounds = { ...CERTIFICATE[method], ...certificate }
  const rows = [
    absolute('energy audit', 0, worst(run, c => c.energy.residual), bounds.energy),
    absolute('complementarity', 0, worst(run, c => c.maxComplementarity), bounds.complementarity),
    absolute('friction cone', 0, worst(run, c => c.maxConeViolation), bounds.cone),
    absolute('joint error', 0, worst(run, c => c.maxJointError), bounds.joints),
    absolute('penetration, m', 0, worst(run, c => c.maxPenetration), bounds.penetration),
  ]
  return [verdict('end of the run', ends, run.end.status === ends ? ends : `${run.end.status} ${run.end.message}`), ...rows.filter(row => row.tolerance < Infinity)]
}
