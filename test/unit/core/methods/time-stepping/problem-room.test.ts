import { describe, expect, it } from 'vitest'
import { ProblemRooms } from '../../../../../core/methods/time-stepping/problem-room'

describe('rooms of islands', () => {
  it('are used again by the next island that fits, the smallest first, and begin without rows', () => {
    const rooms = new ProblemRooms()
    const [large, small] = [rooms.take(100), rooms.take(40)]
    large.rows.pushRotation(0, 1, [0, 0, 1], 0)
    rooms.give(large)
    rooms.give(small)
    expect(rooms.take(35)).toBe(small)
    const again = rooms.take(35)
    expect(again).toBe(large)
    expect(again.rows.count).toBe(0)
    expect(rooms.take(35)).not.toBe(large)
  })

  it('are not wasted on islands that are much smaller', () => {
    const rooms = new ProblemRooms()
    const large = rooms.take(1000)
    rooms.give(large)
    expect(rooms.take(10)).not.toBe(large)
    expect(rooms.take(900)).toBe(large)
  })

  it('keep the rows of a contact with friction while they are the same', () => {
    const room = new ProblemRooms().take(9)
    const rows = room.frictionRows(0, 3, 0.5)
    expect(rows).toMatchObject({ normal: 3, tangent1: 4, tangent2: 5, staticFriction: 0.5, dynamicFriction: 0.5 })
    expect(room.frictionRows(0, 3, 0.5)).toBe(rows)
    expect(room.frictionRows(0, 3, 0.25).staticFriction).toBe(0.25)
    expect(room.frictionRows(0, 6, 0.25).normal).toBe(6)
  })
})
