import type { BodyMotion } from '../../geometry/motion'
import type { RigidBody } from '../body'
import { SCRIPT_BODY_STRIDE, SCRIPT_WRENCH_STRIDE, type LoadedScript, type ScriptOutput } from '../script-runtime'
import type { ForceElement, WrenchSink } from './force'

export interface ScriptForce extends ForceElement {
  readonly type: 'script'
  /** Plots and logs of the script's last call. */
  output(): ScriptOutput
}

/**
 * A script's force: the script is called once per evaluation with the state of all bodies, and the wrenches of its last call as a controller are
 * added.
 *
 * @param held wrenches of that call, `SCRIPT_WRENCH_STRIDE` a body; null if it is not a controller
 * @param changes s: times at which its inputs change; a session appends to it
 */
export function scriptForce(
  id: string, script: LoadedScript, bodies: readonly RigidBody[], held: Float64Array | null, changes: readonly number[] = [],
): ScriptForce {
  const state = new Float64Array(bodies.length * SCRIPT_BODY_STRIDE)
  const wrenches = new Float64Array(bodies.length * SCRIPT_WRENCH_STRIDE)
  const push = (given: Float64Array, motions: readonly BodyMotion[], exists: readonly boolean[], sink: WrenchSink): void => {
    for (let i = 0; i < bodies.length; i++) {
      if (!exists[i] || bodies[i]!.type !== 'dynamic') continue
      const w = given.subarray(i * SCRIPT_WRENCH_STRIDE, (i + 1) * SCRIPT_WRENCH_STRIDE)
      if (w.every(value => value === 0)) continue
      sink.force(i, [w[0]!, w[1]!, w[2]!], motions[i]!.center, 'scripts')
      sink.torque(i, [w[3]!, w[4]!, w[5]!], 'scripts')
    }
  }
  return {
    id, type: 'script', bodies: bodies.filter(body => body.type === 'dynamic').map(body => body.index),
    get breakpoints() { return changes.length === 0 ? script.breakpoints : [...script.breakpoints, ...changes] },
    potential: () => 0,
    output: () => script.computes ? script.output() : { plots: [], logs: [] },
    apply(time, motions, exists, sink) {
      if (script.computes) {
        packBodies(bodies, motions, exists, state)
        script.evaluate(time, state, wrenches)
        push(wrenches, motions, exists, sink)
      }
      if (held !== null) push(held, motions, exists, sink)
    },
  }
}

/** Writes every body's slice, as `SCRIPT_BODY_STRIDE` describes it. */
export function packBodies(bodies: readonly RigidBody[], motions: readonly BodyMotion[], exists: readonly boolean[], out: Float64Array): void {
  bodies.forEach((body, i) => packBody(body, motions[i]!, exists[i]!, out, i * SCRIPT_BODY_STRIDE))
}

/** Writes one body's slice. */
export function packBody(body: RigidBody, motion: BodyMotion, exists: boolean, out: Float64Array, at: number): void {
  out.set(motion.pose.position, at)
  out.set(motion.pose.orientation, at + 3)
  out.set(motion.velocity, at + 7)
  out.set(motion.angularVelocity, at + 10)
  out.set(motion.center, at + 13)
  out[at + 16] = body.mass
  out[at + 17] = exists ? 1 : 0
}
