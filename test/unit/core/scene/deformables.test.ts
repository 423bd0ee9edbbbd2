import { describe, expect, it } from 'vitest'
import { bodiesOfDeformable, editScene, parseScene, removeElements, renameId, resolveScene, type DeformableOf, type EditResult, type Scene, type VertexCondition } from '../../../../core/scene'

const scene = (): Scene => ({
  format: 'cairn-scene', version: 1,
  materials: [{ id: 'wool' }, { id: 'steel' }],
  bodies: [{ id: 'post', type: 'fixed', shapes: [{ type: 'box', size: [1, 1, 1], material: 'steel' }] }, { id: 'ball', shapes: [{ type: 'sphere', radius: 1, material: 'steel' }] }],
  deformables: [
    {
      id: 'lattice', type: 'particles', material: 'wool', pins: [0],
      particles: [{ position: [0, 0, 0], mass: 1 }, { position: [1, 0, 0], mass: 2 }, { position: [0, 1, 0], velocity: [0, 0, 1], mass: 1 }],
      springs: [{ a: 0, b: 1, restLength: 1, stiffness: 10 }, { a: 1, b: 2, restLength: 1, stiffness: 10, damping: 1 }],
    },
    { id: 'rope', type: 'rope', material: 'wool', points: [[0, 0, 2], [1, 0, 2], [1, 1, 2]], segments: 10, attachments: [{ vertex: 10, body: 'ball' }, { vertex: 0, body: null }] },
    { id: 'fur', type: 'hair', material: 'wool', strands: [{ body: 'ball', points: [[0, 0, 1], [0, 0, 1.1], [0, 0, 1.2]] }] },
    {
      id: 'sheet', type: 'cloth', material: 'wool', vertices: [[0, 0, 1], [1, 0, 1], [1, 1, 1], [0, 1, 1], [1, 0, 1], [2, 0, 1], [1, 1, 2]], triangles: [[0, 1, 2], [0, 2, 3], [4, 5, 6]],
      restUV: [[0, 0], [1, 0], [1, 1], [0, 1], [1, 0], [2, 0], [1, 1]], attachments: [{ triangle: 0, weights: [0.5, 0.25, 0.25], body: 'post' }], seams: [[1, 4]],
    },
  ],
  forces: [{ id: 'weight', type: 'uniform', force: [0, 0, -1] }, { id: 'breeze', type: 'wind', deformables: ['sheet'], velocity: [1, 0, 0] }],
})

const round = { type: 'ellipse' as const, semiAxisB: [1, 0, 0] as const, period: 1 }
/** A distance of vertex 1 and one of the rope. */
const joined = (other: object): object => ({ type: 'distance', vertices: [1], others: [{ type: 'vertex', deformable: 'rope', vertex: 3, ...other }] })
type Refusal = [string, (s: Scene) => void, string, string]
type Sheet = DeformableOf<'cloth'>
const of = <T>(s: Scene, index: number) => s.deformables![index] as T

function problemsOf(change: (s: Scene) => void) {
  const spoilt = scene()
  change(spoilt)
  const result = parseScene(spoilt)
  return result.ok ? [] : result.problems
}

describe('deformables in a scene', () => {
  it('keep their positions as written', () => {
    expect(problemsOf(() => undefined)).toEqual([])
  })

  it.each([
    ['a triangle of zero area', s => { of<Sheet>(s, 3).vertices[2] = [2, 0, 1] }, 'InvalidTriangle', 'deformables[3].triangles[0]'],
    ['a triangle without area in rest coordinates', s => { of<Sheet>(s, 3).restUV![2] = [2, 0] }, 'InvalidTriangle', 'deformables[3].triangles[0]'],
    ['a vertex number out of range', s => { of<Sheet>(s, 3).triangles[1] = [0, 2, 7] }, 'InvalidTriangle', 'deformables[3].triangles[1]'],
    ['a face of four corners', s => { of<Sheet>(s, 3).triangles[1] = [0, 1, 2, 3] }, 'InvalidTriangle', 'deformables[3].triangles[1]'],
    ['three triangles at one edge', s => { of<Sheet>(s, 3).vertices.push([0, 0, 3]); of<Sheet>(s, 3).triangles.push([2, 0, 7]); delete of<Sheet>(s, 3).restUV }, 'InvalidTriangle', 'deformables[3].triangles[3]'],
    ['a vertex of no triangle', s => { of<Sheet>(s, 3).vertices.push([0, 0, 3]); delete of<Sheet>(s, 3).restUV }, 'InvalidVertex', 'deformables[3].vertices[7]'],
    ['rest coordinates of too few vertices', s => { of<Sheet>(s, 3).restUV!.pop() }, 'InvalidVertex', 'deformables[3].restUV'],
    ['painted factors of too few vertices', s => { of<Sheet>(s, 3).bendFactors = [1, 1, 1] }, 'InvalidVertex', 'deformables[3].bendFactors'],
    ['painted factors of too few vertices of hair', s => { of<DeformableOf<'hair'>>(s, 2).bendFactors = [1, 1] }, 'InvalidVertex', 'deformables[2].bendFactors'],
    ['a painted factor that makes hair too stiff', s => { of<DeformableOf<'hair'>>(s, 2).stretchFactors = [1, 1, 1e6]; of<DeformableOf<'hair'>>(s, 2).axialStiffness = 1e7 }, 'InvalidVertex', 'deformables[2].stretchFactors[2]'],
    ['a painted factor below 0', s => { of<Sheet>(s, 3).shearFactors = [1, 1, 1, -0.1, 1, 1, 1] }, 'OutOfRange', 'deformables[3].shearFactors[3]'],
    ['a painted factor of 1e30', s => { of<Sheet>(s, 3).shearFactors = [1, 1, 1, 1e30, 1, 1, 1] }, 'OutOfRange', 'deformables[3].shearFactors[3]'],
    ['a painted factor that makes the sheet too stiff', s => {
      Object.assign(of<Sheet>(s, 3), { stretchWeft: 1e9, stretchFactors: [1, 1000, 1001, 1, 1, 1, 1] })
    }, 'InvalidVertex', 'deformables[3].stretchFactors[2]'],
    ['a sheet that crosses itself', s => {
      const sheet = of<Sheet>(s, 3)
      sheet.vertices.push([0.4, 0.2, 0.5], [0.4, 0.2, 1.5], [0.4, 0.4, 1.5])
      sheet.triangles.push([7, 8, 9])
      delete sheet.restUV
    }, 'InvalidTriangle', 'deformables[3].triangles[0]'],
    ['a seam to itself', s => { of<Sheet>(s, 3).seams = [[1, 1]] }, 'InvalidVertex', 'deformables[3].seams[0]'],
    ['a seam of vertices that lie apart', s => { of<Sheet>(s, 3).seams = [[1, 3]] }, 'InvalidVertex', 'deformables[3].seams[0]'],
    ['a pin on nothing', s => { s.deformables![0]!.pins = [3] }, 'InvalidVertex', 'deformables[0].pins[0]'],
    ['a vertex pinned twice', s => { s.deformables![0]!.pins = [1, 1] }, 'InvalidVertex', 'deformables[0].pins[1]'],
    ['a vertex pinned and attached', s => { s.deformables![1]!.pins = [10] }, 'InvalidAttachment', 'deformables[1].attachments[0].vertex'],
    ['a controlled vertex that is not there', s => { s.deformables![0]!.controlled = [{ vertices: [1, 3], motion: round }] }, 'InvalidVertex', 'deformables[0].controlled[0].vertices[1]'],
    ['a controlled vertex that is pinned', s => { s.deformables![0]!.controlled = [{ vertices: [0], motion: round }] }, 'InvalidVertex', 'deformables[0].controlled[0].vertices[0]'],
    ['two controls of a vertex', s => { s.deformables![0]!.controlled = [{ vertices: [1], motion: round }, { vertices: [2, 1], motion: round }] }, 'InvalidVertex', 'deformables[0].controlled[1].vertices[1]'],
    ['keys of a control in the wrong order', s => {
      s.deformables![0]!.controlled = [{ vertices: [1], motion: { type: 'keys', keys: [{ time: 2, offset: [1, 0, 0] }, { time: 1, offset: [0, 0, 0] }] } }]
    }, 'InvalidKeys', 'deformables[0].controlled[0].motion.keys[1].time'],
    ['a key of a control at the start', s => { s.deformables![0]!.controlled = [{ vertices: [1], motion: { type: 'keys', keys: [{ time: 0, offset: [1, 0, 0] }] } }] },
      'OutOfRange', 'deformables[0].controlled[0].motion.keys[0].time'],
    ['a closed path that stands still', s => { s.deformables![0]!.controlled = [{ vertices: [1], motion: { type: 'loop', points: [[1, 0, 0], [1, 0, 0]], period: 1 } }] },
      'InvalidKeys', 'deformables[0].controlled[0].motion.points[1]'],
    ['a closed path with its start twice', s => { s.deformables![0]!.controlled = [{ vertices: [1], motion: { type: 'loop', points: [[1, 0, 0], [0, 0, 0]], period: 1 } }] },
      'InvalidKeys', 'deformables[0].controlled[0].motion.points[1]'],
    ['a period of 0', s => { s.deformables![0]!.controlled = [{ vertices: [1], motion: { ...round, period: 0 } }] }, 'OutOfRange', 'deformables[0].controlled[0].motion.period'],
    ...([
      ['a behaviour of a vertex that is not there', { type: 'distance', vertices: [0, 3] }, 'InvalidVertex', 'vertices[1]'],
      ['a point for a vertex that is not there', { type: 'point', vertex: 3 }, 'InvalidVertex', 'vertex'],
      ['a distance of a vertex to itself', { type: 'distance', vertices: [1, 1] }, 'InvalidVertex', 'vertices[1]'],
      ['a line without direction', { type: 'line', vertices: [0], point: [0, 0, 0], direction: [0, 0, 0] }, 'ZeroVector', 'direction'],
      ['a plane without normal', { type: 'plane', vertices: [0], point: [0, 0, 0], normal: [0, 0, 0] }, 'ZeroVector', 'normal'],
      ['a curve without normal', { type: 'curve', vertices: [0], curve: { type: 'circle', center: [0, 0, 0], normal: [0, 0, 0], radius: 1 } }, 'ZeroVector', 'curve.normal'],
      ['a straight angle', { type: 'angle', vertices: [0, 1, 2], angle: Math.PI }, 'OutOfRange', 'angle'],
      ['an area of 0', { type: 'area', vertices: [0, 1, 2], area: 0 }, 'OutOfRange', 'area'],
      ['a distance to a deformable that is not there', joined({ deformable: 'roop' }), 'UnknownReference', 'others[0].deformable'],
      ['a distance to a body', joined({ deformable: 'ball' }), 'UnknownReference', 'others[0].deformable'],
      ['a distance to a vertex that the other rope does not have', joined({ vertex: 11 }), 'InvalidVertex', 'others[0].vertex'],
      ['a distance to a point of a body that is not there', { ...joined({}), others: [{ type: 'bodyPoint', body: 'bal', point: [0, 0, 1] }] }, 'UnknownReference', 'others[0].body'],
      ['a distance to a point of a rope', { ...joined({}), others: [{ type: 'bodyPoint', body: 'rope', point: [0, 0, 1] }] }, 'UnknownReference', 'others[0].body'],
      ['a distance to a body at no point', { ...joined({}), others: [{ type: 'bodyPoint', body: 'ball' }] }, 'MissingKey', 'others[0].point'],
      ['a distance to half a vertex', joined({ vertex: 0.5 }), 'WrongType', 'others[0].vertex'],
      ['a distance to a place of no known kind', joined({ type: 'bone' }), 'InvalidValue', 'others[0].type'],
      ['a distance to itself by way of others', joined({ deformable: 'lattice', vertex: 1 }), 'InvalidVertex', 'others[0].vertex'],
      ['a distance of three', { ...joined({}), vertices: [0, 1] }, 'OutOfRange', 'vertices'],
      ['a distance of one', { type: 'distance', vertices: [0] }, 'OutOfRange', 'vertices'],
      ['an angle of two', { type: 'angle', vertices: [0, 1] }, 'OutOfRange', 'vertices'],
      ['a volume of three', { type: 'volume', vertices: [0, 1, 2] }, 'OutOfRange', 'vertices'],
      ['a distance of other vertices only', { ...joined({}), vertices: [] }, 'OutOfRange', 'vertices'],
      ['a negative distance', { type: 'distance', vertices: [0, 1], distance: -1 }, 'OutOfRange', 'distance'],
    ] as const).map(([what, condition, name, at]): Refusal => [what, s => {
      s.deformables![0]!.behaviours = [{ condition: condition as unknown as VertexCondition, stiffness: 1 }]
    }, name, `deformables[0].behaviours[0].condition.${at}`]),
    ['a constraint on a vertex that is not there', s => { s.deformables![0]!.constraints = [{ condition: { type: 'angle', vertices: [0, 1, 5] } }] }, 'InvalidVertex',
      'deformables[0].constraints[0].condition.vertices[2]'],
    ['a constraint to the distance 0', s => { s.deformables![0]!.constraints = [{ condition: { type: 'distance', vertices: [0, 1], distance: 0 } }] }, 'OutOfRange',
      'deformables[0].constraints[0].condition.distance'],
    ['feedback of negative stiffness', s => { s.deformables![0]!.constraints = [{ condition: { type: 'point', vertex: 1 }, feedback: { stiffness: -1, damping: 1 } }] },
      'OutOfRange', 'deformables[0].constraints[0].feedback.stiffness'],
    ['a behaviour of negative stiffness', s => { s.deformables![0]!.behaviours = [{ condition: { type: 'point', vertex: 1 }, stiffness: -1 }] }, 'OutOfRange',
      'deformables[0].behaviours[0].stiffness'],
    ['a behaviour of stiffness 1e30', s => { s.deformables![0]!.behaviours = [{ condition: { type: 'point', vertex: 1 }, stiffness: 1e30 }] }, 'OutOfRange',
      'deformables[0].behaviours[0].stiffness'],
    ['a behaviour of infinite damping', s => { s.deformables![0]!.behaviours = [{ condition: { type: 'point', vertex: 1 }, stiffness: 1, damping: Infinity }] }, 'NotFinite',
      'deformables[0].behaviours[0].damping'],
    ['an attachment to a body that is not there', s => { s.deformables![1]!.attachments![0]!.body = 'bal' }, 'UnknownReference', 'deformables[1].attachments[0].body'],
    ['an attachment of nothing', s => { delete s.deformables![1]!.attachments![0]!.vertex }, 'InvalidAttachment', 'deformables[1].attachments[0]'],
    ['an attachment of a triangle of a rope', s => { s.deformables![1]!.attachments![0] = { triangle: 0, body: 'ball' } }, 'InvalidAttachment', 'deformables[1].attachments[0].triangle'],
    ['weights outside the triangle', s => { s.deformables![3]!.attachments![0]!.weights = [1.5, -0.25, -0.25] }, 'InvalidAttachment', 'deformables[3].attachments[0].weights'],
    ['a spring to a particle that is not there', s => { of<DeformableOf<'particles'>>(s, 0).springs![1]!.b = 7 }, 'InvalidVertex', 'deformables[0].springs[1].b'],
    ['a spring of a particle with itself', s => { of<DeformableOf<'particles'>>(s, 0).springs![1]!.b = 1 }, 'InvalidVertex', 'deformables[0].springs[1].b'],
    ['an interaction of a deformable that is not there', s => { s.forces!.push({ id: 'gas', type: 'pair', deformables: ['latice'], energy: 1, cutOff: 1 }) }, 'UnknownReference', 'forces[2].deformables[0]'],
    ['an interaction that lists a deformable twice', s => { s.forces!.push({ id: 'gas', type: 'pair', deformables: ['rope', 'rope'], energy: 1, cutOff: 1 }) }, 'InvalidValue', 'forces[2].deformables'],
    ['an interaction of one deformable with others only', s => { s.forces!.push({ id: 'gas', type: 'pair', deformables: ['rope'], energy: 1, cutOff: 1, within: false }) }, 'InvalidValue', 'forces[2].deformables'],
    ['an interaction of no deformables', s => { s.forces!.push({ id: 'gas', type: 'pair', deformables: [], energy: 1, cutOff: 1 }) }, 'OutOfRange', 'forces[2].deformables'],
    ['an interaction without a range', s => { s.forces!.push({ id: 'gas', type: 'pair', energy: 1, cutOff: 0 }) }, 'OutOfRange', 'forces[2].cutOff'],
    ['a well of no depth', s => { s.forces!.push({ id: 'gas', type: 'lennard-jones', depth: 0, diameter: 1, cutOff: 3 }) }, 'OutOfRange', 'forces[2].depth'],
    ['a cut-off deep in the repulsion', s => { s.forces!.push({ id: 'gas', type: 'lennard-jones', depth: 1, diameter: 1, cutOff: 0.1 }) }, 'InvalidValue', 'forces[2].cutOff'],
    ['k = −1', s => { of<DeformableOf<'particles'>>(s, 0).springs![0]!.stiffness = -1 }, 'OutOfRange', 'deformables[0].springs[0].stiffness'],
    ['k = 1e30', s => { of<Sheet>(s, 3).stretchWarp = 1e30 }, 'OutOfRange', 'deformables[3].stretchWarp'],
    ['a mass of zero', s => { of<DeformableOf<'particles'>>(s, 0).particles[0]!.mass = 0 }, 'OutOfRange', 'deformables[0].particles[0].mass'],
    ['10⁷ segments', s => { of<DeformableOf<'rope'>>(s, 1).segments = 1e7 }, 'OutOfRange', 'deformables[1].segments'],
    ['a rope that stands still', s => { of<DeformableOf<'rope'>>(s, 1).points[1] = [0, 0, 2] }, 'InvalidVertex', 'deformables[1].points[1]'],
    ['a root on a body that is not there', s => { of<DeformableOf<'hair'>>(s, 2).strands[0]!.body = 'head' }, 'UnknownReference', 'deformables[2].strands[0].body'],
    ['a material that is not there', s => { s.deformables![0]!.material = 'wol' }, 'UnknownReference', 'deformables[0].material'],
    ['the id of a body', s => { s.deformables![0]!.id = 'post' }, 'DuplicateId', 'deformables[0].id'],
    ['a force on a deformable that is not there', s => { (s.forces![1] as { deformables: string[] }).deformables = ['shet'] }, 'UnknownReference', 'forces[1].deformables[0]'],
  ] as Refusal[])('%s is refused with its place and what is allowed', (_, change, name, path) => {
    const [first] = problemsOf(change)
    expect(first).toMatchObject({ name, path, severity: 'error' })
    expect(first!.allowed).toBeTruthy()
  })

  it('may touch themselves, sewn or not, and lie folded', () => {
    expect(problemsOf(s => {
      const sheet = of<Sheet>(s, 3)
      // A corner on the inside of the first triangle, and a triangle folded back onto the first two.
      sheet.vertices.push([0.5, 0.25, 1], [0.6, 0.2, 2], [0.4, 0.2, 2], [1, -0.5, 1.0001])
      sheet.triangles.push([7, 8, 9], [5, 4, 10])
      delete sheet.restUV
      delete sheet.attachments
    })).toEqual([])
  })

  it('that cross themselves are refused among 20,000 triangles, also if some sides are a thousand times as long as others', () => {
    const [n, width] = [100, 1]
    const vertices = Array.from({ length: (n + 1) ** 2 }, (_, k): [number, number, number] => {
      const [i, j] = [Math.floor(k / (n + 1)), k % (n + 1)]
      // A strip rolled up by one and two thirds of a turn in a spiral, without touching itself.
      const angle = (10 / 3) * Math.PI * i / n
      const radius = width * (0.1 + 0.01 * angle)
      return [radius * Math.cos(angle), radius * Math.sin(angle), width * j / n]
    })
    const triangles = Array.from({ length: n * n }, (_, k) => Math.floor(k / n) * (n + 1) + k % n).flatMap(a => [[a, a + n + 1, a + n + 2], [a, a + n + 2, a + 1]])
    const roll = (change: (sheet: Sheet) => void) => problemsOf(s => {
      const sheet = { ...of<Sheet>(s, 3), vertices: vertices.map(v => [...v] as typeof v), triangles: triangles.map(t => [...t]) }
      delete sheet.restUV
      delete sheet.seams
      delete sheet.attachments
      change(sheet as Sheet)
      s.deformables![3] = sheet
    })
    expect(roll(() => undefined)).toEqual([])
    const spike: [number, number, number][] = [[-100, 0.001, 0.501], [100, 0.001, 0.501], [0, 100, 0.502]]
    const found = roll(sheet => {
      sheet.vertices.push(...spike)
      sheet.triangles.push([n * n + 2 * n + 1, n * n + 2 * n + 2, n * n + 2 * n + 3])
    })
    expect(found.length).toBeGreaterThan(1)
    expect(found.every(({ name, message }) => name === 'InvalidTriangle' && message.includes('passes through this triangle'))).toBe(true)
  })

  it('of 10⁷ particles are refused', () => {
    const rope = { type: 'rope' as const, material: 'wool', points: [[0, 0, 0], [1, 0, 0]] as [number, number, number][], segments: 100_000 }
    const problems = problemsOf(s => { s.deformables = Array.from({ length: 100 }, (_, i) => ({ ...rope, id: `rope-${i}` })) })
    expect(problems[0]).toMatchObject({ name: 'TooMany', path: 'deformables', value: 10_000_100, allowed: 'at most 200000' })
  })

  it('get a force if they are listed, or if nothing is listed', () => {
    const { forces } = resolveScene(scene())
    expect(forces[0]).toMatchObject({ bodies: ['ball'], deformables: ['lattice', 'rope', 'fur', 'sheet'] })
    expect(forces[1]).toMatchObject({ bodies: [], deformables: ['sheet'] })
  })
})

describe('edits of what deformables refer to', () => {
  const done = (result: EditResult): Scene => {
    if (!result.ok) throw new Error(result.problems[0]!.message)
    return result.scene
  }

  it('removing a body releases them', () => {
    const after = done(removeElements(scene(), ['ball']))
    expect(after.deformables![1]!.attachments).toEqual([{ vertex: 0, body: null }])
    expect((after.deformables![2] as DeformableOf<'hair'>).strands[0]!.body).toBeNull()
  })

  it('references follow a renamed body', () => {
    const after = done(renameId(scene(), 'ball', 'moon'))
    expect(after.deformables![1]!.attachments![0]!.body).toBe('moon')
    expect((after.deformables![2] as DeformableOf<'hair'>).strands[0]!.body).toBe('moon')
  })

  it('a material in use is kept, unless another one replaces it', () => {
    expect(removeElements(scene(), ['wool'])).toMatchObject({ ok: false, problems: [{ name: 'InUse' }] })
    expect(done(removeElements(scene(), ['wool'], 'steel')).deformables!.map(({ material }) => material)).toEqual(['steel', 'steel', 'steel', 'steel'])
  })

  it('a removed deformable is removed from the lists of forces, with forces on it alone', () => {
    expect(done(removeElements(scene(), ['sheet'])).forces!.map(({ id }) => id)).toEqual(['weight'])
    expect(done(renameId(scene(), 'sheet', 'sail')).forces![1]).toMatchObject({ deformables: ['sail'] })
  })
})

describe('a condition that joins a vertex and a point of a body', () => {
  const both = (): Scene => {
    const made = scene()
    made.deformables![0]!.constraints = [{ condition: { type: 'distance', vertices: [1], others: [{ type: 'bodyPoint', body: 'ball', point: [0, 0, 1] }] } }]
    return made
  }
  it('is valid, also with a point of the world', () => {
    const made = both()
    made.deformables![0]!.constraints!.push({ condition: { type: 'coincide', vertices: [0], others: [{ type: 'bodyPoint', body: null, point: [0, 0, 0] }] } })
    expect(parseScene(made)).toMatchObject({ ok: true })
  })
  it('follows the body\'s new id, and goes with the body', () => {
    const renamed = renameId(both(), 'ball', 'bowl')
    expect(renamed).toMatchObject({ ok: true, scene: { deformables: [{ constraints: [{ condition: { others: [{ body: 'bowl' }] } }] }, {}, {}, {}] } })
    const removed = removeElements(both(), ['ball'])
    expect(removed).toMatchObject({ ok: true, scene: { deformables: [{ constraints: [] }, {}, {}, {}] } })
  })
  it('makes the body one that holds the deformable', () => {
    expect(bodiesOfDeformable(both().deformables![0]!)).toEqual(['ball'])
  })
})

describe('a condition that joins two deformables', () => {
  const conditions: readonly VertexCondition[] = [
    { type: 'distance', vertices: [1], others: [{ type: 'vertex', deformable: 'rope', vertex: 10 }] },
    { type: 'plane', vertices: [0], point: [0, 0, 0], normal: [0, 0, 1], others: [{ type: 'vertex', deformable: 'rope', vertex: 0 }, { type: 'vertex', deformable: 'sheet', vertex: 0 }] },
  ]
  const both = (): Scene => {
    const made = scene()
    made.deformables![0]!.constraints = conditions.map(condition => ({ condition: structuredClone(condition) }))
    made.deformables![0]!.behaviours = [{ condition: structuredClone(conditions[0]!), stiffness: 1 }]
    return made
  }
  const edited = (result: EditResult): Scene => {
    expect(result).toMatchObject({ ok: true })
    return (result as { readonly scene: Scene }).scene
  }

  it('follows the other one\'s new id', () => {
    const [lattice] = edited(renameId(both(), 'rope', 'line')).deformables!
    const names = [...lattice!.constraints!, ...lattice!.behaviours!].flatMap(({ condition }) => condition.type === 'point' ? [] : condition.others!.map(one => one.type === 'vertex' ? one.deformable : one.body))
    expect(names).toEqual(['line', 'line', 'sheet', 'line'])
  })

  it('goes with the other one; a plane keeps the vertices that stay', () => {
    const [lattice] = edited(removeElements(both(), ['rope'])).deformables!
    expect(lattice!.behaviours).toEqual([])
    expect(lattice!.constraints).toEqual([{ condition: { ...conditions[1], others: [{ type: 'vertex', deformable: 'sheet', vertex: 0 }] } }])
  })

  it('stops edits that take its vertex away', () => {
    const result = editScene(both(), draft => { (draft.deformables![1] as DeformableOf<'rope'>).segments = 5 })
    expect(result.ok).toBe(false)
    const { problems } = result as { readonly problems: readonly object[] }
    expect(problems).toContainEqual(expect.objectContaining({ name: 'InvalidVertex', path: 'deformables[0].behaviours[0].condition.others[0].vertex', allowed: '0 to 5' }))
  })
})
