/** Reports of a run about its energy balance. */

import { expect, it } from 'vitest'
import { AuditWatch } from '../../../../core/simulation/audit-watch'
import { ball, recorded, sceneOf } from '../../../verification/support'

it('is relative to the energy of the whole run: an early error is small compared with it', () => {
  const watch = new AuditWatch()
  watch.note(0.01, 0.08, 1)
  watch.note(1, 0.01, 100)
  expect(watch.warning('time-stepping')).toBeNull()
  expect(watch.warning('event-driven')).toContain('a residual of 0.0008')
})

it('reports where it exceeds the residual that the method explains', () => {
  const watch = new AuditWatch()
  watch.note(0.5, -6, 10)
  watch.note(1, 1, 10)
  expect(watch.warning('time-stepping')).toContain('a residual of 0.6 of the largest energy at 0.5 s')
})

it('reports that an audit is not a number, whatever follows', () => {
  const watch = new AuditWatch()
  watch.note(0.5, NaN, 10)
  watch.note(1, 0, 10)
  expect(watch.warning('time-stepping')).toContain('is not a number at 0.5 s')
})

it('reports nothing if nothing moves', () => {
  const watch = new AuditWatch()
  watch.note(0, 0, 0)
  expect(watch.warning('event-driven')).toBeNull()
})

it('is a warning of the run, here of Euler steps, which are too inaccurate for a fall', () => {
  const fall = (integrator: string) => recorded(sceneOf([ball('ball', 0.1, [0, 0, 9])], 0, { duration: 1, outputRate: 10, method: 'event-driven', eventDriven: { integrator, step: 0.01 } }))
  expect(fall('euler').end.warnings).toStrictEqual([expect.stringMatching(/^the energy audit has a residual of 0\.0\d+ of the largest energy at \S+ s, and event-driven explains up to 0\.0001/)])
  expect(fall('midpoint').end.warnings).toStrictEqual([])
})
