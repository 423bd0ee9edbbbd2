/** Expected results of a folder of scenes: `cairn-check.json`, written by `cairn check --update`, and edited by hand for tolerances and limits. */
import * as z from 'zod'
import { BODY_STRIDE } from '../../core/trajectory/frame'
import type { TrajectoryReader } from '../engine/reader'
import { summarize } from '../engine/summary'
import { shortNumber } from '../../core/math/short-number'

export const checkFileName = 'cairn-check.json'

/** Limits on the certificate, for every frame. */
const limitNames = ['maxPenetration', 'maxComplementarity', 'maxJointError', 'maxConeViolation'] as const

const expectationSchema = z.strictObject({
  /** Hash of the last frame. */
  hash: z.string(),
  engine: z.string(),
  status: z.enum(['completed', 'stopped']),
  frames: z.number().int().nonnegative(),
  /** m and rad: tolerated difference of the bodies' final poses if the hash differs. 0: the hash must match. */
  tolerance: z.number().nonnegative().default(0),
  limits: z.partialRecord(z.enum(limitNames), z.number().nonnegative()).default({}),
  /** Final position (m) and orientation of each body. */
  final: z.record(z.string(), z.array(z.number()).length(7)),
})

export type Expectation = z.infer<typeof expectationSchema>

export const checkFileSchema = z.strictObject({
  format: z.literal('cairn-check'), version: z.literal(1), scenes: z.record(z.string(), expectationSchema),
})

export type CheckFile = z.infer<typeof checkFileSchema>

/** Results of a run to store. @param former provides tolerance and limits to keep */
export function expectationOf(reader: TrajectoryReader, former: Expectation | undefined): Expectation {
  const { status, finalHash: hash, engine, frames } = summarize(reader)
  return {
    hash, engine, status: status === 'stopped' ? 'stopped' : 'completed', frames, tolerance: former?.tolerance ?? 0, limits: former?.limits ?? {}, final: finalOf(reader),
  }
}

/** Descriptions of all deviations from the expected results. */
export function faultsOf(reader: TrajectoryReader, expected: Expectation): string[] {
  const { status, message, finalHash, frames, certificate } = summarize(reader)
  const faults: string[] = []
  if (status !== expected.status) faults.push(`the run ${status}${message ? ` (${message})` : ''}; it ${expected.status} before`)
  if (frames !== expected.frames) faults.push(`${frames} frames, ${expected.frames} expected`)
  if (finalHash !== expected.hash) {
    const worst = farthest(finalOf(reader), expected.final)
    if (expected.tolerance === 0) faults.push(`the last frame's hash is ${finalHash}, ${expected.hash} expected${worst === null ? '' : `; farthest: ${worst.text}`}`)
    else if (worst !== null && !(worst.difference <= expected.tolerance)) faults.push(`${worst.text}; ${expected.tolerance} allowed`)
  }
  const worst = certificate as Record<string, number> | null
  for (const [name, most] of Object.entries(expected.limits)) {
    if (worst && !(worst[name]! <= most)) faults.push(`${name} is ${shortNumber(worst[name]!)}, at most ${most} allowed`)
  }
  return faults
}

function finalOf(reader: TrajectoryReader): Record<string, number[]> {
  if (reader.frames === 0) return {}
  const { bodies } = reader.frame(reader.frames - 1)
  return Object.fromEntries(reader.header.bodyIds.flatMap((id, body) => {
    const state = [...bodies.subarray(body * BODY_STRIDE, body * BODY_STRIDE + 7)]
    return Number.isNaN(state[0]!) ? [] : [[id, state]]
  }))
}

/** The body with the largest deviation of its final pose, by position (m) or rotation (rad, approximately); null if there are none. */
function farthest(found: Record<string, number[]>, expected: Record<string, number[]>): { readonly difference: number; readonly text: string } | null {
  let worst: { difference: number; text: string } | null = null
  for (const id of new Set([...Object.keys(found), ...Object.keys(expected)])) {
    const [a, b] = [found[id], expected[id]]
    const apart = a && b ? Math.hypot(a[0]! - b[0]!, a[1]! - b[1]!, a[2]! - b[2]!) : Infinity
    const turned = a && b ? 2 * Math.min(...[1, -1].map(sign => Math.hypot(...[3, 4, 5, 6].map(k => a[k]! - sign * b[k]!)))) : Infinity
    const difference = Math.max(apart, turned)
    if (worst !== null && difference <= worst.difference) continue
    worst = { difference, text: a && b ? `"${id}" ends ${shortNumber(apart)} m and ${shortNumber(turned)} rad away` : `"${id}" is in one of them only` }
  }
  return worst
}
