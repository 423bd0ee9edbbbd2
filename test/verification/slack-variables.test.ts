/** Steps whose problem is the paper's mixed one in slack variables [PEG17 eq. 48–49], by Lemke's algorithm (`timeStepping.solver: "slack"`). */

import { describe, expect, it } from 'vitest'
import { check } from '../../core/simulation'
import { pouringScene } from '../bench/peg/pouring'
import { bodyIn, box, floor, recorded, sceneOf, size, turn, worst } from './support'

const slack = { solver: 'slack', frictionCone: 'polyhedral', frictionDirections: 8 }

describe('slack variables', () => {
  it.each([1, 2])('leave no overlap in a pouring of polyhedra, seed %d, as the geometrically exact model guarantees', seed => {
    const scene = pouringScene({ dimensions: 3, linearizations: null, seed, step: 0.01, friction: 0.5, duration: 2 })
    const { simulation } = scene
    const run = recorded({ ...scene, simulation: { ...simulation, timeStepping: { ...simulation!.timeStepping, ...slack } } })
    expect(run.end.status).toBe('completed')
    expect(run.end.solver.name).toContain('slack')
    expect(worst(run, ({ maxPenetration }) => maxPenetration)).toBeLessThan(1e-12)
    expect(worst(run, ({ maxComplementarity }) => maxComplementarity)).toBeLessThan(1e-9)
  })

  it('give the motion of Lemke\'s pyramid where nothing is near a corner: a box that slides on its face', () => {
    const sliding = (solver: object): readonly number[] => {
      const run = recorded(sceneOf([floor, box('box', [0.4, 0.3, 0.2], [0, 0, 0.1], { linearVelocity: [1, 0, 0] })], 0.3,
        { method: 'time-stepping', duration: 0.3, outputRate: 20, timeStepping: solver }))
      return bodyIn(run, 'box').position
    }
    const [one, other] = [sliding(slack), sliding({ ...slack, solver: 'lemke' })]
    expect(size(one.map((value, k) => value - other[k]!))).toBeLessThan(1e-9)
    // Along a direction of the pyramid it is Coulomb's: v t − μ g t² / 2.
    expect(Math.abs(one[0]! - (0.3 - 0.3 * 9.81 * 0.09 / 2))).toBeLessThan(2e-3)
  })

  it('let a box pass the corner of another one, at which infinite half-spaces would hold it', () => {
    // It falls upright, 5 mm beside the block. The half-space of the block's top would hold it above.
    const falling = recorded(sceneOf([
      floor, box('block', [0.5, 0.5, 0.5], [0, 0, 0.25], { type: 'fixed' }),
      box('box', [0.2, 0.2, 0.2], [0.355, 0, 0.65], { orientation: turn([0, 0, 1], 0.05), linearVelocity: [0, 0, -1] }),
    ], 0.5, { method: 'time-stepping', duration: 0.4, outputRate: 50, timeStepping: slack }))
    expect(bodyIn(falling, 'box').position[2]!).toBeLessThan(0.2)
    expect(worst(falling, ({ maxPenetration }) => maxPenetration)).toBeLessThan(1e-12)
  })

  it('need a pyramid for their friction, and no torsional friction', () => {
    const errors = (timeStepping: object, rest: object = {}): object[] =>
      check({ ...sceneOf([floor], 0.5, { method: 'time-stepping', timeStepping }), ...rest }).problems.filter(({ severity }) => severity === 'error')
    expect(errors(slack)).toEqual([])
    expect(errors({ solver: 'slack' })).toEqual([expect.objectContaining({
      name: 'NotSupported', path: 'simulation.timeStepping.frictionCone', value: 'exact', allowed: 'polyhedral',
    })])
    const twisting = { materials: [{ id: 'stone', density: 1000, friction: { static: 0.5, dynamic: 0.5, torsional: 0.01 } }] }
    expect(errors(slack, twisting)).toEqual([expect.objectContaining({ name: 'NotSupported', path: 'materials[0].friction.torsional', value: 0.01 })])
  })
})
