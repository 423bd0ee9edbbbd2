/** What a run says of its energy audit. */

import { expect, it } from 'vitest'
import { AuditWatch } from '../../../../core/simulation/audit-watch'

it('measures by the energy of the whole run: what is missed while little has moved yet is not much', () => {
  const watch = new AuditWatch()
  watch.note(0.01, 0.08, 1)
  watch.note(1, 0.01, 100)
  expect(watch.warning('time-stepping')).toBeNull()
  expect(watch.warning('event-driven')).toContain('a residual of 0.0008')
})

it('says where it is off by more than the method explains', () => {
  const watch = new AuditWatch()
  watch.note(0.5, -6, 10)
  watch.note(1, 1, 10)
  expect(watch.warning('time-stepping')).toContain('a residual of 0.6 of the largest energy at 0.5 s')
})

it('says that an audit is not a number, whatever comes after', () => {
  const watch = new AuditWatch()
  watch.note(0.5, NaN, 10)
  watch.note(1, 0, 10)
  expect(watch.warning('time-stepping')).toContain('is not a number at 0.5 s')
})

it('says nothing of a scene in which nothing moves', () => {
  const watch = new AuditWatch()
  watch.note(0, 0, 0)
  expect(watch.warning('event-driven')).toBeNull()
})
