import { describe, expect, it } from 'vitest'
import { BUILT_IN } from '../../../../renderer/modelling/templates'
import { pictureOf } from '../../../../renderer/modelling/part-picture'

const at = (pixels: Uint8ClampedArray, x: number, y: number) => [...pixels.subarray(4 * (y * 60 + x), 4 * (y * 60 + x) + 4)]

describe('a picture of parts', () => {
  const ball = { id: 'a', shapes: [{ type: 'sphere', radius: 1, material: 'red' } as const] }

  it('shows curved shapes in the colour of their material, on a transparent ground', () => {
    const pixels = pictureOf([ball], 60, 40, [{ id: 'red', color: '#ff0000' }])
    const [r, g, b, alpha] = at(pixels, 30, 20)
    expect(alpha).toBe(255)
    expect(r).toBeGreaterThan(80)
    expect([g, b]).toEqual([0, 0])
    expect(at(pixels, 1, 1)[3]).toBe(0)
    expect(new Set(at(pictureOf([ball], 60, 40), 30, 20).slice(0, 3)).size).toBe(1)
  })

  it('is empty for what has no surface, and not for any template', () => {
    expect(pictureOf([], 60, 40).every(value => value === 0)).toBe(true)
    for (const { clip } of BUILT_IN) expect(pictureOf(clip.bodies, 60, 40, clip.materials).filter((value, k) => k % 4 === 3 && value === 255).length).toBeGreaterThan(60)
  })
})
