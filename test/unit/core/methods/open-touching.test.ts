import { describe, expect, it } from 'vitest'
import { simulate } from '../../../../core/simulation'
import type { Frame, TrajectoryEnd } from '../../../../core/trajectory/frame'
import { random } from '../collision/random'
import { bodyAt, box, contactForceOn, floor, noScripts, recorded, sceneOf } from '../../../verification/support'

const STEPPING = { method: 'time-stepping', duration: 1 / 60, outputRate: 60, timeStepping: { step: 1 / 60 } }
const BRICK = [0.4, 0.2, 0.2]

/** A wall in running bond whose bricks touch, up to rounding of their positions. */
const wall = (wide: number, high: number, shift = 0) => Array.from({ length: wide * high }, (_, k) => {
  const course = Math.floor(k / wide)
  return box(`brick-${k}`, BRICK, [shift + (k % wide - 3 + (course % 2) / 2) * 0.4, 0, (course + 0.5) * 0.2])
})

/** Sweeps over all pairs before the first frame, and that frame. */
function prepared(bodies: readonly object[], simulation: object = STEPPING): { sweeps: number; first: Frame; end: TrajectoryEnd } {
  const nothing = (): void => undefined
  let [sweeps, first] = [0, null as Frame | null]
  const end = simulate(sceneOf([floor, ...bodies], 0.5, simulation), {
    sink: {
      header: nothing, contacts: nothing, joints: nothing, forces: nothing, certificate: nothing, script: nothing, deformables: nothing, sensors: nothing, event: nothing,
      frame: frame => { first ??= frame },
    },
    cancelled: () => false, scripts: noScripts, now: () => 0, preparing: () => { sweeps++ },
  })
  return { sweeps, first: first!, end }
}

const placesOf = (bodies: readonly object[]) => (bodies as { position: number[] }[]).map(({ position }) => position)

describe('bodies that touch', () => {
  it('are opened without sweeps over all pairs, however many there are, and move by little more than the gaps', { tags: 'long' }, () => {
    const bricks = wall(20, 15)
    const { sweeps, first, end } = prepared(bricks)
    expect([end.status, sweeps]).toEqual(['completed', 0])
    const moved = placesOf(bricks).map((place, k) => Math.hypot(...bodyAt(first, k + 1).position.map((x, i) => x - place[i]!)))
    expect(Math.max(...moved)).toBeGreaterThan(0)
    expect(Math.max(...moved)).toBeLessThan(40 * 1e-9)
  })

  it.each([1, 2, 3, 4, 5, 6])('have no overlap from the first frame on, whatever they overlapped by (seed %i)', seed => {
    const next = random(seed)
    // Columns whose boxes overlap by up to 1e-8 m, side by side, with masses up to a million times apart.
    const top = [0, 0, 0]
    const boxes = Array.from({ length: 24 }, (_, k) => {
      const mass = 10 ** (6 * next() - 3)
      const inertia = mass * 0.3 ** 2 / 6
      top[k % 3]! += 0.3 - 1e-8 * next()
      return { ...box(`box-${k}`, [0.3, 0.3, 0.3], [(k % 3) * (0.3 - 3e-9), 0, top[k % 3]! - 0.15]), mass: { mass, inertia: [inertia, inertia, inertia, 0, 0, 0] } }
    })
    const run = recorded(sceneOf([floor, ...boxes], 0.5, STEPPING))
    expect([run.end.status, run.end.message]).toEqual(['completed', ''])
    expect(run.certificates.map(({ maxPenetration }) => maxPenetration)).toEqual(run.certificates.map(() => 0))
    placesOf(boxes).forEach((place, k) => bodyAt(run.frames[0]!, k + 1).position.forEach((x, i) => { expect(Math.abs(x - place[i]!)).toBeLessThan(24 * 1.2e-8) }))
  })

  it('do not move bodies of other heaps, nor bodies that only touch', () => {
    const other = [box('lower', [1, 1, 1], [50, 0, 0.5]), box('upper', [1, 1, 1], [50, 0, 1.5])]
    const { first } = prepared([...wall(7, 4), ...other])
    placesOf(other).forEach((place, k) => { expect(bodyAt(first, 29 + k).position).toEqual(place) })
  })

  it('and have no room to be moved apart, as between fixed walls, are named, and do not keep others from being opened', { tags: 'long' }, () => {
    const walls = [-1, 1].map(side => ({ ...box(`wall${side}`, [1, 1, 4], [0.65 * side, 0, 1]), type: 'fixed' }))
    const drawer = box('drawer', [0.3 + 1e-10, 0.3, 0.1], [0, 0, 0.05])
    const bricks = wall(7, 4, 20)
    const alone = recorded(sceneOf([floor, ...bricks], 0.5, STEPPING))
    const run = recorded(sceneOf([floor, ...walls, drawer, ...bricks], 0.5, STEPPING))
    expect(run.end.warnings[0]).toMatch(/^"drawer" and "wall-?1" have no room to be moved apart; they overlap by \de-11 m, and time steps leave no overlap$/)
    expect(bodyAt(run.frames[0]!, 3).position).toEqual([0, 0, 0.05])
    bricks.forEach((_, k) => { expect(bodyAt(run.frames[0]!, 4 + k)).toEqual(bodyAt(alone.frames[0]!, 1 + k)) })
  })

  it.each([1, 2, 7].flatMap(wide => [0, 1e-10].map(room => [wide, room] as const)))('and fill the space between walls are stepped: %i side by side, with %f m to spare on each side', (wide, room) => {
    const walls = [-1, 1].map(side => ({ ...box(`wall${side}`, [1, 1, 4], [side * (0.5 + 0.15 * wide + room), 0, 1]), type: 'fixed' }))
    const boxes = Array.from({ length: 5 * wide }, (_, k) => box(`box-${k}`, [0.3, 0.3, 0.1], [(k % wide - (wide - 1) / 2) * 0.3, 0, 0.05 + 0.1 * Math.floor(k / wide)]))
    const run = recorded(sceneOf([floor, ...walls, ...boxes], 0.5, { ...STEPPING, duration: 0.1 }))
    expect([run.end.status, run.end.message, run.end.warnings]).toEqual(['completed', '', []])
    const last = run.frames.at(-1)!
    const places = boxes.map((_, k) => bodyAt(last, 3 + k).position)
    placesOf(boxes).forEach((place, k) => { place.forEach((x, i) => { expect(Math.abs(places[k]![i]! - x)).toBeLessThan(1e-8) }) })
    // Only rounding of the coordinates may be missing between neighbours, and between the outer ones and the walls.
    const xs = places.slice(0, wide).map(([x]) => x!)
    const gaps = [xs[0]! + 0.15 * wide + room - 0.15, 0.15 * wide + room - xs.at(-1)! - 0.15, ...xs.slice(1).map((x, k) => x - xs[k]! - 0.3)]
    expect(Math.min(...gaps)).toBeGreaterThan(-1e-14)
    const weight = 9.81 * 1000 * 0.3 * 0.3 * 0.1 * boxes.length
    const carried = [0, 1, 2].reduce((sum, body) => sum - contactForceOn(run.contacts.at(-1)!, body).total[2]!, 0)
    expect(Math.abs(carried / weight - 1)).toBeLessThan(1e-9)
  })
})
