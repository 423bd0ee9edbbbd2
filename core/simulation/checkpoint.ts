/**
 * Checkpoints: at some frames a run ends its method and restarts it from this state, so that a resumed run continues exactly as the original. The
 * times of checkpoints depend only on the work done, never on a clock, and both kinds of run use the same serialised state.
 */

import * as z from 'zod'
import type { World } from '../contact/world'
import { WORKS } from '../contact/works'
import { stateLayout } from '../dynamics/state-layout'
import { decodeExactly, encodeExactly } from './exact-json'
import { heldControls, type HeldControl } from './controllers'
import type { MethodState, Plain } from '../methods/method-state'

/** State of the recording, in addition to that of the method. */
export interface RecordingState {
  readonly frames: number
  readonly eventIndex: number
  readonly initial: { readonly energy: number; readonly potential: number } | null
  readonly maxKinetic: number
  readonly maxPotentialChange: number
  readonly countsBefore: MethodState['counts']
  /** Largest residual of the energy audit, and its time, s. */
  readonly audit: readonly [number, number, number]
}

export interface Checkpoint {
  readonly method: MethodState
  readonly recording: RecordingState
  readonly controls: readonly HeldControl[]
}

/**
 * Bodies and particles that were moved, summed over the steps between checkpoints: about ten seconds to a minute of computing, which is the most that
 * a resumed run repeats. Bodies at rest hardly cost anything, and do not count. The restart itself costs about as much as a few steps.
 */
export const CHECKPOINT_WORK = 200_000

/** Error for an invalid checkpoint, or one of another scene: files are untrusted. */
export class CheckpointError extends Error {
  override readonly name = 'InvalidCheckpoint'
}

export function encodeCheckpoint(checkpoint: Checkpoint): string {
  return encodeExactly(checkpoint)
}

const count = z.number().int().min(0)
const counts = z.object({
  frames: count, steps: count, work: count, solverCalls: count, basisHits: count, pivots: count, maxContacts: count, fallbacks: count, fallbackTime: z.number(),
})
/** Any number, including NaN: the energy audit judges these values, not the checkpoint. */
const real = z.custom<number>(value => typeof value === 'number')
const schema = z.object({
  method: z.object({
    time: z.number().min(0), frame: count, state: z.array(real), particles: z.array(real), exists: z.array(z.boolean()), jointPositions: z.array(z.array(real)),
    broken: z.array(count),
    impactWork: real, kinematicImpactWork: real, spawnedEnergy: real, numericalWork: real, counts, warnings: z.array(z.string()), own: z.unknown(),
  }),
  recording: z.object({
    frames: count, eventIndex: count, initial: z.object({ energy: real, potential: real }).nullable(), maxKinetic: real,
    maxPotentialChange: real, countsBefore: counts, audit: z.tuple([real, real, real]),
  }),
  controls: heldControls,
})
export type ParsedCheckpoint = z.output<typeof schema>

/** A checkpoint that has not been matched with a world yet. @throws CheckpointError */
export function parseCheckpoint(text: string): ParsedCheckpoint {
  let value: unknown
  try {
    value = decodeExactly(text)
  } catch (error) {
    throw new CheckpointError(`The checkpoint is damaged: ${(error as Error).message}`)
  }
  const found = schema.safeParse(value)
  if (found.success) return found.data
  throw new CheckpointError(`The checkpoint is damaged: ${found.error.issues[0]?.path.join('.') ?? ''}: ${found.error.issues[0]?.message ?? ''}`)
}

/** @throws CheckpointError if it does not match the world */
export function checkpointIn(world: World, { method, recording, controls }: ParsedCheckpoint): Checkpoint {
  const fits = method.state.length === stateLayout(world.bodies, WORKS.length).length
    && method.particles.length === 6 * (world.deformables?.mass.length ?? 0) && method.exists.length === world.bodies.length
    && method.jointPositions.length === world.joints.length && method.broken.every(joint => joint < world.joints.length)
    && method.jointPositions.every((positions, joint) => positions.length === world.joints[joint]!.constraint.coordinates)
  if (!fits) throw new CheckpointError('The checkpoint belongs to another scene.')
  return {
    recording, controls,
    method: {
      ...method, state: Float64Array.from(method.state), particles: Float64Array.from(method.particles), own: method.own as Plain,
      jointPositions: method.jointPositions.map(positions => Float64Array.from(positions)),
    },
  }
}
