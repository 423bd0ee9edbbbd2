/** What a measurement shows: named numbers with units, the most important first. */

import type { Between, Feature, OwnMeasure } from '../../core/analysis/features'
import { length, sub, type Vec3 } from '../../core/math/vector'

export interface Reading {
  readonly name: string
  readonly value: number | Vec3
  readonly unit: 'm' | 'm²' | '°'
  /** Magnitude of the quantities that it was computed from: smaller rounding errors are shown as ≈ 0. */
  readonly beside: number
  /** In words instead of the number. */
  readonly words?: string
}

export const FEATURE_NAMES: Readonly<Record<Exclude<Feature['kind'], 'body'>, string>> = {
  vertex: 'Vertex', point: 'Point', edge: 'Edge', axis: 'Axis', face: 'Face', disc: 'Face', plane: 'Face', circle: 'Circle', sphere: 'Centre',
}

const OWN = { length: ['Length', 'm'], area: ['Area', 'm²'], radius: ['Radius', 'm'] } as const

export function ownReadings(measures: readonly OwnMeasure[]): Reading[] {
  return measures.map(({ quantity, value }) => ({ name: OWN[quantity][0], value, unit: OWN[quantity][1], beside: 1 }))
}

/** Relative difference from which the distance of parallel planes or lines is worth a reading of its own. */
const DIFFERENT = 1e-9

export function betweenReadings({ distance, pointA, pointB, angle, apart }: Between, a: Feature, b: Feature): Reading[] {
  const beside = Math.max(1, length(pointA), length(pointB))
  const centred = [a, b].some(({ kind }) => kind === 'circle' || kind === 'sphere')
  const readings: Reading[] = [
    { name: centred ? 'Distance from the centre' : 'Distance', value: distance, unit: 'm', beside, ...distance === 0 ? { words: wordsFor(a, b) } : {} },
  ]
  if (distance > 0) readings.push({ name: 'x, y, z', value: sub(pointB, pointA), unit: 'm', beside })
  if (angle !== null) readings.push({ name: 'Angle', value: angle, unit: '°', beside: 180 })
  if (apart !== null && Math.abs(apart - distance) > DIFFERENT * beside) readings.push({ name: isFlat(a) && isFlat(b) ? 'Between the planes' : isFlat(a) || isFlat(b) ? 'From the plane' : 'Between the lines', value: apart, unit: 'm', beside })
  return readings
}

export function angleReadings(angle: number): Reading[] {
  return [{ name: 'Angle', value: angle, unit: '°', beside: 180 }]
}

const isFlat = ({ kind }: Feature): boolean => kind === 'face' || kind === 'disc' || kind === 'plane' || kind === 'circle'
const wordsFor = (a: Feature, b: Feature): string => a.kind === 'body' || b.kind === 'body' ? 'touching or overlapping' : 'meet'
