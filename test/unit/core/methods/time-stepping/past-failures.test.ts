import { describe, expect, it } from 'vitest'
import { WayFailures } from '../../../../../core/methods/time-stepping/past-failures'
import { recorded, worst } from '../../../../verification/support'
import { hangingBridge } from './hanging-bridge'

const has = (steps: WayFailures, body: number): boolean => steps.among([body]).length > 0

/** Whether each of `count` steps of body 0 of two starts in halves, if whole steps succeed where `succeeds` says so. */
function course(steps: WayFailures, count: number, succeeds: (step: number) => boolean): string {
  let told = ''
  for (let step = 0; step < count; step++) {
    const atOnce = has(steps, 0)
    told += atOnce ? 'h' : succeeds(step) ? '.' : 'x'
    steps.note([0, 1], atOnce || !succeeds(step) ? [[0]] : [])
    expect(has(steps, 1)).toBe(false)
  }
  return told
}

describe('bodies whose whole steps fail', () => {
  it('take halves at once after two failures, and try whole steps less and less often', () => {
    expect(course(new WayFailures(2), 60, () => false)).toBe(`xxhhxhhhhxhhhhhhhhx${'h'.repeat(16)}x${'h'.repeat(16)}xhhhhhhh`)
  })

  it('take whole steps again once one succeeds; single failures change nothing', () => {
    expect(course(new WayFailures(2), 12, step => step >= 4)).toBe('xxhh........')
    expect(course(new WayFailures(2), 12, step => step % 2 === 1)).toBe('x.x.x.x.x.x.')
  })

  it('try the first way again together with all that are stepped with them', () => {
    const steps = new WayFailures(3)
    for (let step = 0; step < 2; step++) steps.note([0, 1, 2], [[0]])
    expect([0, 1, 2].map(body => has(steps, body))).toEqual([true, false, false])
    const waits: boolean[][] = []
    for (let step = 0; step < 3; step++) {
      steps.note([0, 1, 2], [[0, 1]])
      waits.push([0, 1, 2].map(body => has(steps, body)))
    }
    // Body 1 failed for the first time, but with body 0, which still waited; they try together, fail again, and wait longer.
    expect(waits).toEqual([[true, true, false], [false, false, false], [true, true, false]])
  })

  it('are told by the groups that failed together', () => {
    const steps = new WayFailures(5)
    for (let step = 0; step < 2; step++) steps.note([0, 1, 2, 3, 4], [[0, 3], [4, 1]])
    expect(steps.among([0, 1, 2, 3, 4])).toEqual([[0, 3], [1, 4]])
  })

  it('go on after a checkpoint as without one', () => {
    for (let cut = 0; cut < 30; cut++) {
      const [one, whole] = [new WayFailures(2), new WayFailures(2)]
      const all = course(whole, 40, step => step > 20)
      const first = course(one, cut, step => step > 20)
      const other = new WayFailures(2)
      other.carried = one.carried
      expect(first + course(other, 40 - cut, step => step + cut > 20)).toBe(all)
    }
  })
})

it('a struck bridge takes its steps in halves where they failed before, with the laws kept and events that say so', () => {
  const run = recorded(hangingBridge({ planks: 12, step: 1 / 30, duration: 0.6 }))
  expect(run.end.status).toBe('completed')
  expect(run.events.filter(({ message }) => message?.includes('is halved: whole steps before it have failed (plank-0, plank-1')).length).toBeGreaterThan(1)
  expect(worst(run, c => c.maxPenetration)).toBe(0)
  expect(worst(run, c => c.maxJointError)).toBeLessThan(1e-8)
})
