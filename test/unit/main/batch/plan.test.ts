import { describe, expect, it } from 'vitest'
import fc from 'fast-check'
import { pointsOf } from '../../../../main/batch/design/points'
import { randomNumbers } from '../../../../main/batch/design/random'
import { SOBOL_DIMENSIONS, sobolPoint } from '../../../../main/batch/design/sobol'
import { parseParameter, parseValues } from '../../../../main/batch/values-text'
import { withValues } from '../../../../main/batch/set-values'
import { friction, incline, plan, prepared } from './sweeps'

const all = (points: { count: number; at(k: number): readonly unknown[] }) => Array.from({ length: points.count }, (_, k) => points.at(k))

describe('values', () => {
  it.each([
    ['0.1:0.9:5', [0.1, 0.30000000000000004, 0.5, 0.7000000000000001, 0.9]], ['1e-3:1e-1:3:log', [1e-3, 0.01, 1e-1]], ['1e-3,5e-3, 1e-2', [1e-3, 5e-3, 1e-2]],
    ['dantzig,lemke', ['dantzig', 'lemke']], ['[0,0,-9.81],[0,0,-1.62]', [[0, 0, -9.81], [0, 0, -1.62]]], ['true', [true]], ['"a,b",c', ['a,b', 'c']], ['3:3:1', [3]],
  ])('"%s"', (text, expected) => {
    const found = all(pointsOf([{ name: 'p', paths: [], values: parseValues(text) }], { kind: 'grid' })).map(([value]) => value)
    expect(found).toHaveLength(expected.length)
    found.forEach((value, k) => typeof value === 'number' ? expect(value).toBeCloseTo(expected[k] as number, 14) : expect(value).toEqual(expected[k]))
  })

  it.each([['', 'empty one'], ['1,,2', 'empty one'], ['1:2:0', 'empty range'], ['1:1', 'empty range'], ['1:2:1.5', 'empty range'], ['a:2:3', 'not a range'], ['0:1:3:log', 'no logarithms'], ['[1,2', 'unbalanced']])('refuses "%s"', (text, message) => {
    expect(() => parseValues(text)).toThrow(message)
  })

  it('have a name and paths', () => {
    expect(parseParameter('bodies.box.position[2]=1,2', false)).toMatchObject({ name: 'bodies.box.position[2]', paths: ['bodies.box.position[2]'] })
    expect(parseParameter(`${friction}=0:1:3`, false)).toMatchObject({ name: 'mu', paths: ['materials.stone.friction.static', 'materials.stone.friction.dynamic'] })
    expect(parseParameter('angle=1,2', true)).toMatchObject({ name: 'angle', paths: [] })
    expect(() => parseParameter('angle', true)).toThrow('--param is "angle"')
  })

  it('a component of a vector that the scene leaves out is set within the vector\'s default', () => {
    expect(JSON.parse(withValues(incline, [{ path: 'gravity[0]', value: 3 }]))).toMatchObject({ gravity: [3, 0, -9.81] })
    expect(JSON.parse(withValues(incline, [{ path: 'bodies.block.position[2]', value: 7 }])).bodies[1].position).toEqual([0, 0, 7])
    const unplaced = JSON.stringify({ ...JSON.parse(incline) as object, bodies: [{ id: 'block', shapes: [{ type: 'box', size: [1, 1, 1], material: 'stone' }] }] })
    expect(JSON.parse(withValues(unplaced, [{ path: 'bodies.block.linearVelocity[2]', value: 7 }])).bodies[0].linearVelocity).toEqual([0, 0, 7])
    expect(() => withValues(incline, [{ path: 'bodies.rock.position[2]', value: 7 }])).toThrow('no element "rock"')
    expect(() => withValues(incline, [{ path: '__proto__.x', value: 7 }])).toThrow('not allowed')
  })
})

describe('designs', () => {
  const range = (name: string) => ({ name, paths: [], values: parseValues('0:1') })

  it('a grid combines all values, with the last parameter varying fastest; a list goes row by row', () => {
    const parameters = [parseParameter('a=1,2', true), parseParameter('b=3,4,5', true)]
    expect(all(pointsOf(parameters, { kind: 'grid' }))).toEqual([[1, 3], [1, 4], [1, 5], [2, 3], [2, 4], [2, 5]])
    expect(() => pointsOf(parameters, { kind: 'list' })).toThrow('2 values and "b" has 3')
    expect(all(pointsOf([parameters[0]!, parseParameter('b=3,4', true)], { kind: 'list' }))).toEqual([[1, 3], [2, 4]])
    expect(() => pointsOf([range('a')], { kind: 'grid' })).toThrow('needs samples')
    expect(() => pointsOf([parseParameter('a=0:1:10000', true), parseParameter('b=0:1:10000', true)], { kind: 'grid' })).toThrow('has 100000000 runs')
  })

  it('a Latin hypercube has exactly one point in each slice of each parameter, and depends on its seed alone', () => {
    fc.assert(fc.property(fc.integer({ min: 1, max: 200 }), fc.integer({ min: 0, max: 2 ** 40 }), (count, seed) => {
      const points = all(pointsOf([range('a'), range('b'), range('c')], { kind: 'latin', count, seed })) as number[][]
      for (const k of [0, 1, 2]) expect(new Set(points.map(point => Math.floor(point[k]! * count))).size).toBe(count)
    }))
    const of = (seed: number) => all(pointsOf([range('a')], { kind: 'latin', count: 5, seed }))
    expect(of(7)).toEqual(of(7))
    expect(of(7)).not.toEqual(of(8))
  })

  it('Sobol: any aligned 2^m points have one in each of 2^m slices, in every dimension, with any shift', () => {
    const shift = Uint32Array.from({ length: SOBOL_DIMENSIONS }, (_, k) => k * 0x9e3779b1)
    for (const [m, block] of [[3, 0], [5, 2], [8, 1], [10, 0]] as const) {
      const size = 1 << m
      const points = Array.from({ length: size }, (_, k) => sobolPoint(block * size + k, shift))
      for (let d = 0; d < SOBOL_DIMENSIONS; d++) expect(new Set(points.map(point => Math.floor(point[d]! * size))).size, `dimension ${d}`).toBe(size)
    }
  })

  it('Sobol: the first points of the first dimensions are the published ones, and the first two dimensions fill every elementary box', () => {
    const none = new Uint32Array(3)
    expect([1, 2, 3, 4].map(k => sobolPoint(k, none))).toEqual([[0.5, 0.5, 0.5], [0.75, 0.25, 0.25], [0.25, 0.75, 0.75], [0.375, 0.375, 0.625]])
    const points = Array.from({ length: 256 }, (_, k) => sobolPoint(k, new Uint32Array(2)))
    for (const a of [0, 2, 4, 6, 8]) {
      expect(new Set(points.map(([x, y]) => `${Math.floor(x! * (1 << a))}/${Math.floor(y! * (256 >> a))}`)).size).toBe(256)
    }
  })

  it('random numbers are the same on every machine, and spread over their range', () => {
    const random = randomNumbers(1)
    const values = Array.from({ length: 10_000 }, random)
    expect(Math.abs(values.reduce((sum, value) => sum + value, 0) / values.length - 0.5)).toBeLessThan(0.02)
    expect(new Set(values).size).toBe(10_000)
    expect(Array.from({ length: 3 }, randomNumbers(42))).toEqual(Array.from({ length: 3 }, randomNumbers(42)))
  })
})

describe('a plan', () => {
  it('has an id that depends only on what it computes', () => {
    expect(prepared().id).toBe(prepared().id)
    expect(prepared().id).not.toBe(prepared({ measures: 'time' }).id)
    expect(prepared({ timeLimit: 3 }).id).toBe(prepared().id)
    expect(prepared().total).toBe(20)
  })

  it('writes the values of each run into its scene', () => {
    const scene = JSON.parse(prepared().textOf(19)) as { gravity: number[]; materials: { friction: { static: number; dynamic: number } }[] }
    expect(scene.materials[0]!.friction).toEqual({ static: 0.9, dynamic: 0.9 })
    expect(scene.gravity[0]).toBeCloseTo(9.81 * Math.sin(40 * Math.PI / 180), 12)
  })

  it.each([
    [{ measures: 'bodies.rock.position[0]' }, 'no body "rock"'], [{ measures: 'max(' }, 'ends too early'], [{ measures: 'mu = time' }, 'called "mu"'], [{ measures: 'status = time' }, 'called "status"'],
    [{ keep: { kind: 'where', expression: 'energy.foo > 1' } as const }, 'has no "foo"'], [{ lets: [{ path: 'gravity[0]', expression: 'sin(tilt)' }] }, 'no parameter "tilt"'],
    [{ parameters: [parseParameter('materials.stone.frction.static=1,2', false)], lets: [] }, 'frction'], [{ parameters: [parseParameter('bodies.block.position=1,2', false)], lets: [] }, 'position'],
    [{ parameters: [parseParameter('bodies.rock.position[0]=1,2', false)], lets: [] }, 'no element "rock"'], [{ scenes: [] }, 'needs a scene'],
    [{ parameters: [parseParameter('run=1,2', true)], lets: [] }, 'called "run"'], [{ scenes: [{ name: 'x', text: '{' }] }, 'x:'],
  ])('is refused before the first run: %o', (change, message) => {
    expect(() => prepared(change)).toThrow(message)
  })

  it('values out of range become failed rows, and the plan is accepted', () => {
    expect(prepared({ parameters: [parseParameter('materials.stone.friction.static=-1,2', false)], lets: [] }).total).toBe(2)
    expect(plan().scenes).toHaveLength(1)
  })
})
