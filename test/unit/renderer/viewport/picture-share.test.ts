import { describe, expect, it } from 'vitest'
import { drawnShare, PictureShare } from '../../../../renderer/viewport/picture-share'

/** Pictures that take this many ms at full size, plus 5 ms at any size. */
function drawn(share: PictureShare, whole: number, count: number): number[] {
  return Array.from({ length: count }, () => {
    const { share: now } = share
    share.note(5 + whole * now * now)
    return share.share
  })
}

describe('the size of pictures for which a person waits', () => {
  it('shrinks until pictures are drawn within the time limit, and then stays', () => {
    const share = new PictureShare(0.7, 25)
    // Within 25 ms at a share of √(20 / 100) = 0.45 at most.
    const seen = drawn(share, 100, 1000)
    expect(seen[12]).toBe(0.35)
    expect(seen.slice(12).every(one => one === 0.35 || one === 0.5)).toBe(true)
    // Larger shares are tried at growing intervals, each time for three pictures that are too slow.
    expect(seen.slice(12).filter(one => one === 0.5).length).toBeLessThanOrEqual(15)
  })

  it('ignores single slow pictures', () => {
    const share = new PictureShare(0.7, 25)
    for (let i = 0; i < 300; i++) share.note(i % 3 === 0 ? 20 : 90)
    expect(share.share).toBe(0.7)
  })

  it('grows again when pictures are drawn faster', () => {
    const share = new PictureShare(0.35, 25)
    drawn(share, 1000, 50)
    expect(share.share).toBe(0.175)
    expect(drawn(share, 10, 1000).at(-1)).toBe(0.7)
  })

  it('has a lower bound', () => {
    expect(drawn(new PictureShare(0.35, 25), 1e6, 200).at(-1)).toBe(0.175)
  })

  it('has that lower bound also at a reduced resolution', () => {
    expect(drawnShare(1, 0.35)).toBe(0.35)
    expect(drawnShare(0.5, 0.7)).toBe(0.35)
    expect([drawnShare(0.5, 0.175), drawnShare(0.25, 0.35), drawnShare(0.25, 0.175)]).toEqual([0.175, 0.175, 0.175])
    expect(drawnShare(0.25, 1)).toBe(0.25)
  })
})
