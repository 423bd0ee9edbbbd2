import { describe, expect, it } from 'vitest'
import { withoutCollinear, type Corner } from '../../../../core/collision/contact-polygon'
import type { FeaturePair } from '../../../../core/collision/contact'
import type { Vec3 } from '../../../../core/math/vector'
import { random } from './random'

const Z: Vec3 = [0, 0, 1]
const pair = {} as FeaturePair
const corner = (x: number, y: number): Corner => ({ pair, point: [x, y, 0], normal: Z, gap: 0 })

describe('of the corners of a contact polygon', () => {
  const octagon = Array.from({ length: 8 }, (_, k) => corner(3 + Math.cos(k * Math.PI / 4 + 0.1), Math.sin(k * Math.PI / 4 + 0.1)))
  const middles = octagon.map(({ point: p }, k) => {
    const q = octagon[(k + 1) % 8]!.point
    return corner((p[0] + q[0]) / 2, (p[1] + q[1]) / 2)
  })

  it('those within an edge are omitted, in any order', () => {
    const r = random(1)
    for (let trial = 0; trial < 20; trial++) {
      const mixed = [...octagon, ...middles].map(each => ({ each, key: r() })).sort((p, q) => p.key - q.key).map(({ each }) => each)
      expect(new Set(withoutCollinear(mixed, Z, 1e-9))).toEqual(new Set(octagon))
    }
  })

  it('all are kept if none lies between two others', () => {
    expect(withoutCollinear(octagon, Z, 1e-9)).toEqual(octagon)
  })

  it('the ends are kept if all lie on one line', () => {
    const line = [0.3, 0, 1, 0.7].map(x => corner(x, 2 * x))
    expect(withoutCollinear(line, Z, 1e-9)).toEqual([line[1], line[2]])
  })
})
