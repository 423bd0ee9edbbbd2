/**
 * Random valid scenes, run to their end. Bodies without curved surfaces are checked by volumes, spheres by distances; neither shares code with
 * contact finding.
 */
import { simulate } from '../../../core/simulation'
import { BODY_STRIDE, type Frame } from '../../../core/trajectory/frame'
import { worstOverlap, type SceneBody } from '../../verification/overlap'
import type { Recorded } from '../../verification/support'
import { thrown, type Kind, type Outcome } from '../outcome'
import { Random } from '../random'
import { randomScene, type RandomScene } from '../scene'
import { randomVariant } from '../variant'

/** m: deeper than this two bodies may not be in any frame; time-stepping allows 1e-9 × size. */
const ALLOWED_DEPTH = 1e-6
/** m²: no two of the bodies touch over more. */
const MAX_AREA = 1

export const scenes: Kind = { run: (seed, cancelled) => outcomeOf(randomScene(new Random(seed)), cancelled) }
export const variants: Kind = { run: (seed, cancelled) => outcomeOf(randomVariant(new Random(seed)), cancelled) }

function outcomeOf(scene: RandomScene, cancelled: () => boolean): Outcome {
  const frames: Frame[] = []
  let method = ''
  let penetration = 0
  const noScripts = { load: (id: string) => { throw new Error(`There is no script "${id}".`) }, dispose: () => undefined }
  const nothing = () => undefined
  try {
    const end = simulate(scene, {
      sink: {
        header: header => { method = header.method }, frame: frame => frames.push(frame), contacts: nothing, joints: nothing, forces: nothing, deformables: nothing,
        certificate: ({ maxPenetration }) => { penetration = Math.max(penetration, maxPenetration) }, script: nothing, event: nothing,
      },
      cancelled, scripts: noScripts, now: () => 0,
    })
    const judged = judge(scene, frames, method, penetration)
    if (judged !== null) return judged
    const warned = end.warnings.some(warning => warning.startsWith('the energy audit')) ? ', energy audit warned' : ''
    if (end.status === 'completed') return { outcome: 'completed', detail: `${method}${warned}` }
    return end.status === 'cancelled' ? { outcome: 'cut', detail: method } : { outcome: 'stopped', detail: `${method}: ${end.reason}` }
  } catch (error) {
    if ((error as Error).name !== 'RefusedError') return thrown([], error)
    return { outcome: 'refused', detail: (error as { problems: readonly { name: string }[] }).problems[0]?.name ?? '' }
  }
}

function judge(scene: RandomScene, frames: readonly Frame[], method: string, penetration: number): Outcome | null {
  const bodies = scene.bodies as readonly SceneBody[]
  // Bodies that a joint holds together may overlap.
  const joined = new Set(((scene.joints ?? []) as readonly { bodyA: string; bodyB: string | null }[]).flatMap(({ bodyA, bodyB }) => [`${bodyA} ${bodyB}`, `${bodyB} ${bodyA}`]))
  const lasting = bodies.map((_, i) => i).filter(i => frames.every(({ bodies: all }) => all.subarray(i * BODY_STRIDE, (i + 1) * BODY_STRIDE).every(Number.isFinite)))
  const spawning = bodies.filter(body => 'spawnTime' in body || 'removeTime' in body).length
  if (lasting.length < bodies.length - spawning) return { outcome: 'wrong', detail: `${method}: a frame holds what is not a number` }
  if (method === 'penalty') return null
  for (const [n, i] of lasting.entries()) {
    for (const k of lasting.slice(0, n)) {
      const pair = [bodies[k]!, bodies[i]!]
      if (joined.has(`${pair[0]!.id} ${pair[1]!.id}`) || !groupsMeet(pair[0]!, pair[1]!)) continue
      const picked = frames.map(frame => ({
        ...frame, bodies: Float64Array.from([k, i].flatMap(body => [...frame.bodies.subarray(body * BODY_STRIDE, (body + 1) * BODY_STRIDE)])),
      }))
      const volume = worstOverlap(pair, { frames: picked } as unknown as Recorded)
      const depth = worstOfSpheres(pair, picked)
      if (volume <= ALLOWED_DEPTH * MAX_AREA && depth <= ALLOWED_DEPTH) continue
      const said = `the certificate says ${penetration} m`
      return { outcome: 'wrong', detail: `${method}: "${pair[0]!.id}" and "${pair[1]!.id}" overlap by ${volume} m³, as spheres by ${depth} m; ${said}` }
    }
  }
  return null
}

/** Whether collision groups let two bodies touch. */
function groupsMeet(a: SceneBody, b: SceneBody): boolean {
  const groupsOf = (body: SceneBody & { readonly collision?: { readonly groups: number; readonly mask: number } }) => body.collision ?? { groups: 1, mask: -1 }
  const [p, q] = [groupsOf(a), groupsOf(b)]
  return (p.groups & q.mask) !== 0 || (q.groups & p.mask) !== 0
}

/** m: deepest overlap of two bodies that are one sphere each. */
function worstOfSpheres(bodies: readonly SceneBody[], frames: readonly Pick<Frame, 'bodies'>[]): number {
  const radii = bodies.map(({ shapes }) => shapes.length === 1 && shapes[0]!.type === 'sphere' ? shapes[0]!.radius : null)
  let worst = 0
  for (const { bodies: state } of frames) {
    radii.forEach((a, i) => radii.slice(0, i).forEach((b, j) => {
      if (a === null || b === null || (bodies[i]!.type !== 'dynamic' && bodies[j]!.type !== 'dynamic')) return
      const apart = Math.hypot(...[0, 1, 2].map(k => state[i * BODY_STRIDE + k]! - state[j * BODY_STRIDE + k]!))
      worst = Math.max(worst, a + b - apart)
    }))
  }
  return worst
}
