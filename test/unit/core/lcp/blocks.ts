/** A block on an incline, and sums of the normal forces of a solution. */
import type { ContactProblem } from '../../../../core/lcp'
import { assemble, box, corners, type Touch } from './problems'

export const g = 9.81
export const normals = (problem: ContactProblem, f: Float64Array): number[] => problem.friction.map(contact => f[contact.normal]!)
export const total = (values: number[]): number => values.reduce((sum, value) => sum + value, 0)

/** A unit cube on an incline whose slope points at `azimuth`, in the incline's own frame. */
export function blockOnIncline(slope: number, azimuth: number, mu: number, muDynamic = mu, turn = 0): ContactProblem {
  const pull = [g * Math.sin(slope) * Math.cos(azimuth), g * Math.sin(slope) * Math.sin(azimuth), -g * Math.cos(slope)] as const
  const touches: Touch[] = corners([0, 0, 0], 1, 1).map(point => ({ a: 0, b: -1, point, normal: [0, 0, 1], mu, muDynamic, turn }))
  return assemble([box([0, 0, 0.5], [1, 1, 1], 1, pull)], touches)
}
