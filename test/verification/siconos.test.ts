import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { recorded } from './support'

/** A ball with e = 0.9 that falls 1 m, by the event-driven integrator of siconos-tutorials (Apache-2.0): time, height, speed in columns. */
const file = '../shared/reference/siconos/event-driven/BouncingBallED.ref'

describe.skipIf(!existsSync(file))('the bouncing ball of siconos', () => {
  it('lands 44 times when it does there, with its speeds, to 1e-11 s, and comes to rest at 8.578949178728887 s', () => {
    const rows = readFileSync(file, 'utf8').trim().split('\n').slice(1).map(line => line.trim().split(/\s+/).map(Number))
    const theirs = rows.filter((row, k) => row[2]! < 0 && rows[k + 1]?.[0] === row[0])
    expect(theirs).toHaveLength(44)
    const scene = JSON.parse(readFileSync(new URL('../../scenes/verification/bouncing-ball-0.9.cairn.json', import.meta.url), 'utf8')) as object
    const ours = recorded(scene).events.filter(event => event.kind === 'impact')
    theirs.forEach(([time, , speed], k) => {
      expect(Math.abs(ours[k]!.time - time!)).toBeLessThanOrEqual(1e-11)
      expect(Math.abs(ours[k]!.approachSpeed + speed!)).toBeLessThanOrEqual(1e-10)
    })
    expect(Math.abs(ours.at(-1)!.restTime - 8.578949178728887)).toBeLessThanOrEqual(1e-9)
  })
})
