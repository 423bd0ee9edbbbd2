/** Events of a run, as lanes, lists and words. */

import { ref } from 'vue'
import { defineStore } from 'pinia'
import type { TrajectoryEvent, TrajectoryHeader } from '../../core/trajectory/frame'
import type { EventKind } from '../../core/vocabulary'
import { formatNumber } from '../fields/format'
import { featureName } from './contact-list'

export interface Lane {
  readonly label: string
  readonly kinds: readonly EventKind[]
  /** CSS custom property with the colour of its marks. */
  readonly color: string
}

/** Lane of events that need attention. */
export const WARNINGS = 'Warnings'

export const LANES: readonly Lane[] = [
  { label: 'Impacts', kinds: ['impact'], color: '--impact' },
  { label: 'Touching', kinds: ['newContact', 'release', 'feature'], color: '--sticking' },
  { label: 'Stick, slip', kinds: ['stick', 'slip', 'reversal'], color: '--sliding' },
  { label: 'Other', kinds: ['limit', 'part', 'breakpoint', 'spawn', 'remove', 'restart', 'sleep', 'wake'], color: '--rolling' },
  { label: WARNINGS, kinds: ['degraded', 'indeterminate', 'inconsistent', 'energyScaled', 'warning', 'stopped'], color: '--danger' },
]

export const EVENT_LABELS: Readonly<Record<EventKind, string>> = {
  impact: 'Impact', newContact: 'New contact', release: 'Release', stick: 'Sticks', slip: 'Slips', feature: 'Features change', limit: 'Joint limit',
  breakpoint: 'Key or jump', restart: 'Integrator restarts', degraded: 'Less exact', spawn: 'Body or joint appears', remove: 'Body or joint disappears', indeterminate: 'Indeterminate', inconsistent: 'Inconsistent',
  energyScaled: 'Energy scaled', warning: 'Warning', stopped: 'Stopped', sleep: 'Falls asleep', wake: 'Wakes', reversal: 'Slip reverses', part: 'Joint breaks',
}

/** Events of the computation rather than the motion; there are thousands, which would hide the others. */
export const isNoise = ({ kind }: Pick<TrajectoryEvent, 'kind'>): boolean => kind === 'restart'

/** Filter of the event list and the timeline: one lane or all; restarts of the integrator only on request. */
export const useEventFilter = defineStore('event-filter', () => {
  const lane = ref<string | null>(null)
  const noise = ref(false)
  const shows = (event: Pick<TrajectoryEvent, 'kind'>) => noise.value || !isNoise(event)
  return { lane, noise, shows }
})

/** Ids of the bodies and the joint that an event concerns. */
export function idsOfEvent({ bodyA, bodyB, joint }: TrajectoryEvent, { bodyIds, jointIds }: Pick<TrajectoryHeader, 'bodyIds' | 'jointIds'>): string[] {
  return [bodyIds[bodyA], bodyIds[bodyB], jointIds[joint]].filter(id => id !== undefined)
}

/** Details that an event's kind does not show: impulse and speeds of an impact, features of a contact, or its message. */
export function detailOfEvent({ impulse, approachSpeed, reboundSpeed, message, ...event }: TrajectoryEvent): string {
  const impact = impulse.length === 3 ? `${formatNumber(Math.hypot(...impulse))} N s, ${formatNumber(approachSpeed, 3)} → ${formatNumber(reboundSpeed, 3)} m/s` : ''
  const features = event.featureKindA < 0 || event.featureKindB < 0 ? '' : `${featureName(event.featureKindA, event.featureA)} on ${featureName(event.featureKindB, event.featureB)}`
  return [impact, features, message].filter(Boolean).join(' · ')
}

/** The exact time of an event. */
export const eventTime = (time: number): string => `${Number(time.toPrecision(10))} s`

/** Events with from < time ≤ to, of a list in order of time. */
export function eventsWithin(events: readonly TrajectoryEvent[], from: number, to: number): readonly TrajectoryEvent[] {
  const start = firstAfter(events, from)
  let end = start
  while (end < events.length && events[end]!.time <= to) end++
  return events.slice(start, end)
}

/** Index of the first event later than `time`; the length if there is none. */
export function firstAfter(events: readonly TrajectoryEvent[], time: number): number {
  let low = 0
  let high = events.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (events[middle]!.time > time) high = middle
    else low = middle + 1
  }
  return low
}
