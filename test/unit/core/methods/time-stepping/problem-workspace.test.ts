import { describe, expect, it } from 'vitest'
import { ProblemWorkspaces } from '../../../../../core/methods/time-stepping/problem-workspace'

describe('workspaces of islands', () => {
  it('are reused by the next island that fits, the smallest first, and begin without rows', () => {
    const workspaces = new ProblemWorkspaces()
    const [large, small] = [workspaces.take(100), workspaces.take(40)]
    large.rows.pushRotation(0, 1, [0, 0, 1], 0)
    workspaces.give(large)
    workspaces.give(small)
    expect(workspaces.take(35)).toBe(small)
    const again = workspaces.take(35)
    expect(again).toBe(large)
    expect(again.rows.count).toBe(0)
    expect(workspaces.take(35)).not.toBe(large)
  })

  it('are not wasted on islands that are much smaller', () => {
    const workspaces = new ProblemWorkspaces()
    const large = workspaces.take(1000)
    workspaces.give(large)
    expect(workspaces.take(10)).not.toBe(large)
    expect(workspaces.take(900)).toBe(large)
  })

  it('keep the rows of a contact with friction while they do not change', () => {
    const workspace = new ProblemWorkspaces().take(9)
    const rows = workspace.frictionRows(0, 3, 0.5)
    expect(rows).toMatchObject({ normal: 3, tangent1: 4, tangent2: 5, staticFriction: 0.5, dynamicFriction: 0.5 })
    expect(workspace.frictionRows(0, 3, 0.5)).toBe(rows)
    expect(workspace.frictionRows(0, 3, 0.25).staticFriction).toBe(0.25)
    expect(workspace.frictionRows(0, 6, 0.25).normal).toBe(6)
  })
})
