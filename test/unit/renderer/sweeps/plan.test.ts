/** From the scene to a plan: fields that can be varied, the form, and measures from lists. */
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { parseScene, type Scene } from '../../../../core/scene'
import { PreparedSweep } from '../../../../main/batch/plan'
import { emptyForm, factorFor, formOf, planOf, shortName, type SweepForm } from '../../../../renderer/sweeps/form'
import { checkMeasures, expressionOf, inWords, measureInWords, type MeasureChoice } from '../../../../renderer/sweeps/measures'
import { placesOf, type SweepPlace } from '../../../../renderer/sweeps/places'

const text = readFileSync('scenes/door-with-a-motor.cairn.json', 'utf8')
const read = parseScene(text)
if (!read.ok) throw new Error('no scene')
const scene: Scene = read.scene
const places = placesOf(scene)
const place = (path: string): SweepPlace => places.find(one => one.path === path)!

describe('places that a sweep can vary', () => {
  it('are numbers, components, choices and flags, with values, units and titles; defaults too', () => {
    expect(place('gravity[2]')).toMatchObject({ label: 'Gravity z', value: -9.81, unit: 'm/s²', options: null })
    expect(place('simulation.timeStepping.step')).toMatchObject({ label: 'Simulation · Time-stepping · Step', unit: 's' })
    expect(place('simulation.method')!.options).toContain('time-stepping')
    // Counted from 1, as the inspector does.
    expect(place('bodies.door.shapes[0].size[0]').label).toMatch(/ · Box 1 · Size x$/)
    expect(place('simulation.timeStepping.sleep')).toMatchObject({ value: false, options: [true, false] })
  })

  it('each take a value by their path: the plan resolves every one of them', () => {
    const parameters = places.slice(0, 300).map((one, k) => ({
      name: `p${k}`, paths: [one.path], values: { kind: 'list' as const, values: [one.value ?? (one.options ? one.options[0] : 1)] },
    }))
    const plan = { ...planOf(emptyForm('Door', ''), { name: 'door', text }).plan!, parameters }
    // An invalid combination of values becomes a row; an unknown path is refused.
    expect(new PreparedSweep(plan).total).toBe(1)
  })

  it('are listed for thousands of bodies in a short time', () => {
    const many = { ...scene, bodies: Array.from({ length: 5000 }, (_, k) => ({ ...scene.bodies![0]!, id: `b${k}` })), joints: [], forces: [] }
    const started = performance.now()
    expect(placesOf(many).length).toBeLessThanOrEqual(50_000)
    expect(performance.now() - started).toBeLessThan(5000)
  })
})

describe('the plan of a form', () => {
  const form = (change: Partial<SweepForm>): SweepForm => ({ ...emptyForm('Door', 'time'), ...change })
  const made = (change: Partial<SweepForm>) => planOf(form(change), { name: 'door', text })

  it('varies a number about its present value and a choice over all of its values', () => {
    const [number, choice] = [factorFor(place('gravity[2]'), []), factorFor(place('simulation.method'), [])]
    const { plan } = made({ factors: [number, choice] })
    expect(plan!.parameters).toEqual([
      { name: 'gravity2', paths: ['gravity[2]'], values: { kind: 'range', from: -9.81 / 2, to: -9.81 * 1.5, count: 5, scale: 'linear' } },
      { name: 'method', paths: ['simulation.method'], values: { kind: 'list', values: place('simulation.method').options } },
    ])
    expect(new PreparedSweep(plan!).total).toBe(5 * place('simulation.method').options!.length)
  })

  it('gives parameters different names', () => {
    expect(factorFor(place('gravity[2]'), ['gravity2']).name).toBe('gravity22')
    expect(shortName('bodies.box.position[2]')).toBe('position2')
  })

  it('takes the number of values of a range from the number of samples', () => {
    const { plan } = made({ factors: [factorFor(place('gravity[2]'), [])], design: 'sobol', samples: 64, seed: 3 })
    expect(plan).toMatchObject({ design: { kind: 'sobol', count: 64, seed: 3 }, parameters: [{ values: { count: null } }] })
    expect(new PreparedSweep(plan!).total).toBe(64)
  })

  it('reports what has to be filled in, and where', () => {
    const wrong = { ...factorFor(place('gravity[2]'), []), from: 1, to: 1, name: ' ' }
    expect(made({ factors: [wrong] })).toMatchObject({ plan: null, problems: [{ key: wrong.key, message: 'It needs a name.' }, { key: wrong.key, message: 'Both ends are the same.' }] })
    expect(made({ factors: [{ ...wrong, name: 'g', how: 'list', list: '1,,2' }] }).problems).toHaveLength(1)
    expect(made({ factors: [{ ...wrong, name: 'g', from: -1, to: 1, scale: 'log' }] }).problems).toMatchObject([{ message: 'A logarithmic range needs ends above 0.' }])
    expect(made({ derived: [{ key: 9, path: 'gravity[0]', expression: '' }] }).problems).toMatchObject([{ key: 9 }])
  })

  it('is restored from its plan', () => {
    const { plan } = made({
      factors: [factorFor(place('gravity[2]'), []), { ...factorFor(null, []), name: 'v', how: 'list', list: '[0, 0, 1], [1, 0, 0]' }], design: 'grid',
      derived: [{ key: 1, path: 'gravity[0]', expression: 'gravity2/2' }], keep: 'where', condition: 'time > 1', timeLimit: 5,
    })
    expect(planOf(formOf(plan!, 'Again'), { name: 'door', text }).plan).toEqual(plan)
  })
})

describe('measures', () => {
  const choice = (change: Partial<MeasureChoice>): MeasureChoice => ({
    source: 'bodies', id: 'door', other: '', quantity: 'position', component: 2, taken: 'end', time: 1.5, comparison: '<', bound: 0.1, ...change,
  })
  it.each<[Partial<MeasureChoice>, string]>([
    [{}, 'bodies.door.position[2]@end'], [{ quantity: 'speed', taken: 'max' }, 'max(bodies.door.speed)'], [{ taken: 'time' }, 'bodies.door.position[2]@1.5'],
    [{ taken: 'first' }, 'first(bodies.door.position[2] < 0.1)'], [{ source: 'contacts', id: '', quantity: 'normalForce', taken: 'integral' }, 'integral(contacts.normalForce)'],
    [{ source: 'contacts', other: 'frame', quantity: 'gap', taken: 'min' }, 'min(contacts.door.frame.gap)'], [{ source: 'energy', quantity: 'residual' }, 'energy.residual@end'],
    [{ source: 'events', quantity: 'impact.firstTime' }, 'events.impact.firstTime@end'], [{ id: 'odd id' }, 'bodies["odd id"].position[2]@end'],
  ])('%j', (change, expression) => {
    expect(expressionOf(choice(change))).toBe(expression)
  })

  it.each<[string, string, string]>([
    ['bodies.door.position[2]@end', 'The door · position z at the end', 'm'], ['max(bodies.door.speed)', 'The door · largest speed', 'm/s'],
    ['first(bodies.door.position[2] < 0.1)', 'The door · first time of position z < 0.1 m', 's'], ['integral(contacts.normalForce)', 'Contacts · integral of normal force', 'N s'],
    ['min(contacts.door.frame.gap)', 'Contacts of The door and frame · smallest gap', 'm'], ['energy.residual@2.5', 'Energy · residual at 2.5 s', 'J'],
  ])('%s has a title with names: %s', (expression, title, unit) => {
    expect(measureInWords(expression, id => id === 'door' ? 'The door' : id)).toEqual({ title, unit })
  })

  it('of other forms keep their text', () => {
    for (const text of ['x', 'max(a + b)', '2 * bodies.door.speed@end', 'bodies.door.nothing@end']) expect(measureInWords(text, id => id)).toBeNull()
  })

  it('are of quantities in words', () => {
    expect(['linearVelocity', 'speed', 'normalForce'].map(inWords)).toEqual(['linear velocity', 'speed', 'normal force'])
  })

  it('are checked against the scene as they are typed', () => {
    const id = scene.bodies![0]!.id
    expect(checkMeasures(`a = bodies.${id}.speed@end, energy.total`, scene)).toEqual({ names: ['a', 'energy.total'], problem: null })
    expect(checkMeasures('max(bodies.nobody.speed)', scene).problem).toMatchObject({ at: 4, message: expect.stringContaining('nobody') as string })
    expect(checkMeasures('max(', scene).problem?.at).toBe(4)
  })
})
