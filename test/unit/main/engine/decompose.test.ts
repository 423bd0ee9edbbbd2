import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bodyMass, partsOf } from '../../../../core/analysis/solids'
import { meshScene, meshShape } from '../../../../core/formats/mesh/shape'
import { enclosedMass, triangleMesh, turnedMesh, type Mesh } from '../../../../core/geometry/mesh'
import { convexHull } from '../../../../core/geometry/hull'
import { resolveScene, type Scene, type ShapeOf } from '../../../../core/scene'
import { check } from '../../../../core/simulation'
import { createEngine, type LocalEngine } from '../../../../main/engine'
import { decompose } from '../../../../main/engine/decompose'
import { defaultDecomposition } from '../../../../main/engine/decompositions'
import { holeNotes, isNotable, type DecompositionSettings, type DecompositionStage } from '../../../../main/protocol/meshes'
import { frame, gear, plateWithTwoHoles, prism, stairs, torus } from '../../core/geometry/solids'
import { pngOf } from '../../core/formats/picture-files'
import { built, scratch } from '../built'

/** Coarser than the default, to save time. */
const settings: DecompositionSettings = { ...defaultDecomposition, resolution: 24 }
const nothing = () => undefined
const of = (source: Mesh, changes: Partial<DecompositionSettings> = {}, scale = 1) => decompose({ source, scale, settings: { ...settings, ...changes } }, nothing)

const obj = ({ vertices, faces }: Mesh): string =>
  `${vertices.map(p => `v ${p.join(' ')}`).join('\n')}\n${faces.map(face => `f ${face.map(v => v + 1).join(' ')}`).join('\n')}\n`

const ply = ({ vertices, faces }: Mesh, coloured: boolean): string => [
  'ply', 'format ascii 1.0', `element vertex ${vertices.length}`, 'property double x', 'property double y', 'property double z',
  ...coloured ? ['property uchar red', 'property uchar green', 'property uchar blue'] : [],
  `element face ${faces.length}`, 'property list uchar int vertex_indices', 'end_header',
  ...vertices.map(p => [...p, ...coloured ? [255, 0, 0] : []].join(' ')), ...faces.map(face => [face.length, ...face].join(' ')), '',
].join('\n')

describe('a mesh is cut into convex pieces', () => {
  it('exactly if its faces are flat and few, in metres whatever its unit', async () => {
    const found = await of(stairs(3), {}, 0.01)
    expect(found).toMatchObject({ method: 'exact', turned: false, notes: [] })
    expect(found.pieces).toHaveLength(3)
    expect(found.volume).toBeCloseTo(12e-6, 18)
    expect(found.piecesVolume / found.volume!).toBeCloseTo(1, 9)
    expect(found.solid!.volume).toBe(found.volume)
    expect(Math.max(...found.vertices.flat())).toBe(3)
  })

  const text = (content: string) => new TextEncoder().encode(content)
  const painted = (mesh: Mesh) => `mtllib look.mtl\nvt 0 0\nusemtl paint\n${obj(mesh).replaceAll(/^f (.*)$/gm, (_, face: string) => `f ${face.replaceAll(/\d+/g, '$&/1')}`)}`
  const library = { name: 'look.mtl', bytes: text('newmtl paint\nKd 1 0 0\nmap_Kd pictures/wood.png\n') }

  it.each([['ply', (mesh: Mesh) => ply(mesh, false)], ['obj', obj]] as const)('without a look if its file has none (%s)', async (ending, write) => {
    const found = await decompose({ source: { name: `stairs.${ending}`, bytes: text(write(stairs(2))), beside: [] }, scale: 1, settings }, nothing)
    expect(found).toMatchObject({ look: null, notes: [] })
  })

  it('and keeps the colours of vertices, at the scale of the pieces', async () => {
    const found = await decompose({ source: { name: 'stairs.ply', bytes: text(ply(stairs(2), true)), beside: [] }, scale: 0.5, settings }, nothing)
    expect(found.notes).toEqual([])
    expect(found.look).toMatchObject({ visuals: [{ type: 'mesh', mesh: 'stairs', color: '#ffffff' }], textures: [] })
    const [mesh] = found.look!.meshes
    expect(new Set(mesh!.colors)).toEqual(new Set(['#ff0000']))
    expect(Math.max(...mesh!.vertices.flat())).toBe(Math.max(...found.pieces.flat(2)))
  })

  it('and keeps the materials of a library beside it, with their pictures, faces outwards', async () => {
    const picture = pngOf([[[255, 0, 0], [0, 255, 0]]])
    const inward = stairs(2)
    const bytes = text(painted({ ...inward, faces: inward.faces.map(face => [...face].reverse()) }))
    const found = await decompose({ source: { name: 'stairs.obj', bytes, beside: [library, { name: 'wood.png', bytes: picture }] }, scale: 1, settings }, nothing)
    expect(found.notes).toEqual(['The faces pointed inwards and were reversed.'])
    expect(found.look).toMatchObject({
      visuals: [{ mesh: 'stairs', color: '#ff0000', texture: 'wood' }], textures: [{ id: 'wood', picture: Buffer.from(picture).toString('base64') }],
    })
    expect(enclosedMass(triangleMesh(found.look!.meshes[0]!)).volume).toBeCloseTo(found.volume!, 12)
  })

  it.each([
    ['library', [], ['look.mtl, with colours or textures, is missing: choose or drop it together with the mesh.'], null],
    ['picture', [library], ['wood.png, with colours or textures, is missing: choose or drop it together with the mesh.'], '#ff0000'],
    ['readable picture', [library, { name: 'wood.png', bytes: text('GIF89a') }], ['Not kept: a texture, "pictures/wood.png", which is neither PNG nor JPEG; instead: the colour alone.'], '#ff0000'],
  ] as const)('and says what is lost without a %s', async (_missing, beside, notes, color) => {
    const found = await decompose({ source: { name: 'stairs.obj', bytes: text(painted(stairs(2))), beside }, scale: 1, settings }, nothing)
    expect(found.notes).toEqual(notes)
    expect(found.look?.visuals[0]?.color ?? null).toBe(color)
  })

  it('by cuts at its concavities: a ring keeps its hole, and has the same pieces every time', { tags: 'long' }, async () => {
    const stages: DecompositionStage[] = []
    const source = torus(16, 8)
    const found = await decompose({ source, scale: 1, settings }, stage => stages.push(stage))
    expect(stages).toEqual(['reading', 'cutting', 'approximating'])
    expect(found).toMatchObject({ method: 'exact', reach: 0, notes: [] })
    expect(found.pieces).toHaveLength(16)
    expect(found.piecesVolume / found.volume!).toBeCloseTo(1, 9)
    expect((await of(source)).pieces).toEqual(found.pieces)
  })

  it('by few cuts if few are allowed, with the distance by which the pieces protrude', { tags: 'long' }, async () => {
    const found = await of(torus(16, 8), { maxPieces: 6, method: 'approximate' })
    expect(found.method).toBe('approximate')
    expect(found.pieces.length).toBeLessThanOrEqual(6)
    const share = found.piecesVolume / found.volume!
    expect(share).toBeGreaterThan(1.02)
    expect(isNotable(found)).toBe(share > 1.05)
    // A chord closes a sixth of the ring: at its middle it lies 0.7 (1 − cos 30°) = 0.09 within the inner circle of radius 0.7, and more where parts are longer.
    expect(found.reach).toBeGreaterThan(0.09)
    expect(found.reach).toBeLessThan(0.3)
  })

  it('by voxels if they are asked for: nothing of it is missing, and the hole is partly closed', { tags: 'long' }, async () => {
    const source = torus(16, 8)
    const found = await of(source, { method: 'voxels' })
    const hulls = found.pieces.map(points => convexHull('mesh', points))
    const missing = source.vertices.filter(p => !hulls.some(hull => hull.faces.every(face => face.normal[0] * p[0] + face.normal[1] * p[1] + face.normal[2] * p[2] <= face.offset + 1e-6)))
    expect(missing).toEqual([])
    expect(found.piecesVolume / found.volume!).toBeGreaterThan(1)
    expect(found.reach).toBeGreaterThan(0)
  })

  it('naming the holes that are closed: of a plate of two holes, a gear, and a ring', { tags: 'long' }, async () => {
    const plate = await of(plateWithTwoHoles(0.01), { method: 'approximate', maxPieces: 1 })
    expect(holeNotes(plate).sort()).toEqual(['The hole of 10 mm about (0.025, 0.025, 0.005) m is closed.', 'The hole of 30 mm about (0.075, 0.025, 0.005) m is closed.'])
    expect(isNotable(plate)).toBe(true)
    const wheel = await of(gear(12), { method: 'approximate', maxPieces: 1 })
    // The bore is a polygon of 48 sides about a circle of 12 mm.
    expect(wheel.holes).toHaveLength(1)
    expect(wheel.holes[0]!.diameter).toBeCloseTo(0.012 * Math.cos(Math.PI / 48), 4)
    expect(holeNotes(wheel)).toEqual(['The hole of 12 mm about (0, 0, 0.005) m is closed.'])
    const ring = await of(torus(32, 16), { method: 'approximate', maxPieces: 1 })
    expect(ring.holes).toHaveLength(1)
    expect(ring.holes[0]!.diameter).toBeCloseTo(1.4, 1)
    expect(Math.hypot(...ring.holes[0]!.centre)).toBeLessThan(0.03)
  })

  it('naming none that stays open, and narrowed ones with what is left', { tags: 'long' }, async () => {
    expect((await of(plateWithTwoHoles(0.01), { method: 'approximate', maxPieces: 8 })).holes).toEqual([])
    expect((await of(gear(12))).holes).toEqual([])
    const [narrowed, ...others] = (await of(torus(32, 16), { method: 'approximate', maxPieces: 4 })).holes
    expect(others).toEqual([])
    if (narrowed) expect(narrowed.open).toBeGreaterThan(0.3)
  })

  it('with the distance of the pieces beyond the mesh at points of their faces', async () => {
    const found = await of(frame(), { method: 'approximate', maxPieces: 1 })
    const { points, triangles, distances } = found.deviation!
    // The hull of the frame fills the hole of edge 1: its farthest points are in the middle of the hole, half an edge from the wall.
    expect(found.reach).toBeCloseTo(0.5, 1)
    expect(Math.max(...distances)).toBeCloseTo(found.reach!, 6)
    expect(points.length).toBe(3 * distances.length)
    expect(Math.max(...triangles)).toBeLessThan(distances.length)
    distances.forEach((distance, i) => {
      const [x, y] = [points[3 * i]!, points[3 * i + 1]!]
      expect(distance).toBeCloseTo(Math.max(0, 0.5 - Math.max(Math.abs(x), Math.abs(y))), 5)
    })
  })

  it('into no more pieces than are allowed, and by the method that is asked for', async () => {
    expect((await of(frame(), { method: 'approximate' })).pieces).toHaveLength(4)
    await expect(of(frame(), { method: 'exact', maxPieces: 3 })).rejects.toThrow('mesh: more than 3 exact pieces are needed; allow more, or choose the approximate method')
  })

  it('with inward faces reversed, and a note about an open surface', async () => {
    const inward = await of(turnedMesh(frame()))
    expect(inward.turned).toBe(true)
    expect(inward.notes).toEqual(['The faces pointed inwards and were reversed.'])
    expect(enclosedMass(inward).volume).toBeCloseTo(24, 12)
    const open = await of({ vertices: frame().vertices, faces: frame().faces.slice(1) }, { method: 'voxels' })
    expect(open.volume).toBeNull()
    expect(open.solid).toBeNull()
    expect(open.notes[0]).toMatch(/the surface is open: face \d+ .* Its mass is that of its pieces/)
    expect(open.pieces.length).toBeGreaterThan(1)
  })

  it('and an open surface into plates behind it, each flat part as it is; a solid that leaks is still one', async () => {
    // A gutter of three sides.
    const vertices: [number, number, number][] = [[0, 0, 1], [1, 0, 0], [2, 0, 0], [3, 0, 1], [0, 2, 1], [1, 2, 0], [2, 2, 0], [3, 2, 1]]
    const gutter = await of({ vertices, faces: [[0, 1, 5, 4], [1, 2, 6, 5], [2, 3, 7, 6]] })
    expect(gutter).toMatchObject({ method: 'surface', turned: false, volume: null, solid: null, reach: null })
    expect(gutter.pieces).toHaveLength(3)
    expect(gutter.depth).toBeCloseTo(0.01 * Math.hypot(3, 2, 1), 9)
    // Nothing stands above it.
    for (const piece of gutter.pieces) for (const [x, , z] of piece) expect(z).toBeLessThanOrEqual(Math.max(0, 1 - x, x - 2) + 1e-12)
    expect(await of({ vertices, faces: [[0, 1, 5, 4], [1, 2, 6, 5], [2, 3, 7, 6]] }, { method: 'voxels' })).toMatchObject({ method: 'approximate', depth: null })
    const ring = torus(16, 8)
    expect((await of({ vertices: ring.vertices, faces: ring.faces.slice(1) })).method).toBe('approximate')
  })

  it('or refused, with the shape and the problem', async () => {
    await expect(of({ vertices: [[0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 1, 0]], faces: [[0, 1, 2], [1, 3, 2], [0, 2, 1], [1, 2, 3]] })).rejects.toThrow(/mesh: the volume is 0/)
    await expect(of({ vertices: frame().vertices, faces: Array.from({ length: 1_000_000 }, () => [0, 1, 2]) })).rejects.toThrow('more than 250000 triangles')
  })
})

describe('a mesh in a scene', () => {
  const L = prism([[0, 0], [2, 0], [2, 1], [1, 1], [1, 3], [0, 3]], 0.5)
  const sceneOf = (shape: ShapeOf<'mesh'>): Scene => meshScene('L', 'l', shape, 10)
  const massIn = (scene: Scene) => {
    const resolved = resolveScene(scene)
    return bodyMass(resolved.bodies[1]!, partsOf(resolved.bodies[1]!, resolved))
  }

  it('has the mass that its surface encloses, not that of its pieces, from a file as embedded', { tags: 'long' }, async () => {
    const coarse = await of(torus(16, 8), { maxPieces: 6 }, 0.5)
    const exact = enclosedMass(triangleMesh({ vertices: torus(16, 8).vertices.map(p => p.map(x => x / 2) as [number, number, number]), faces: torus(16, 8).faces }))
    const embedded = massIn(sceneOf(meshShape(coarse, 'material', 0.5)))
    const kept = massIn(sceneOf(meshShape(coarse, 'material', 0.5, 'torus.obj')))
    for (const mass of [embedded, kept]) {
      expect(mass.mass / (10 * exact.volume)).toBeCloseTo(1, 12)
      mass.inertia.forEach((x, k) => expect(x).toBeCloseTo(10 * exact.inertia[k]!, 12))
    }
    expect(coarse.piecesVolume * 10).toBeGreaterThan(1.01 * embedded.mass)
  })

  const problemsOf = (scene: Scene) => check(scene).problems.map(({ name, severity, message }) => `${severity} ${name}: ${message}`)

  it('without pieces is refused, with a remedy', async () => {
    const { pieces: _, ...bare } = meshShape(await of(L), 'material', 1)
    const scene = sceneOf(meshShape(await of(L), 'material', 1))
    expect(problemsOf({ ...scene, bodies: [scene.bodies![0]!, { ...scene.bodies![1]!, shapes: [bare] }] })).toEqual([
      'error InvalidShape: body "l": mesh: has no convex pieces yet; compute them with "cairn decompose", or with "Decompose" in the editor\'s inspector',
    ])
  })

  it('causes a warning if its surface is open, or if its pieces belong to another mesh', async () => {
    const shape = meshShape(await of(L), 'material', 1)
    expect(problemsOf(sceneOf(shape))).toEqual([])
    expect(problemsOf(sceneOf({ ...shape, faces: shape.faces!.slice(1) }))[0])
      .toMatch(/warning OpenMesh: body "l": mesh: the surface is open: face \d+ .*; its mass is that of its convex pieces/)
    expect(problemsOf(sceneOf({ ...shape, scale: 2 }))[0]).toMatch(/warning StalePieces: .* they belong to another mesh or scale/)
    expect(problemsOf(sceneOf({ ...shape, faces: shape.faces!.map(face => [...face].reverse()) }))[0]).toMatch(/error InvalidShape: body "l": mesh: the faces point inwards/)
  })
})

describe('the engine decomposes in a thread of its own', () => {
  const folder = scratch()
  let engine: LocalEngine
  const stages: string[] = []
  beforeAll(async () => {
    const { worker, decomposeWorker } = built()
    engine = createEngine({ home: join(folder, 'home'), workerUrl: worker, decomposeWorkerUrl: decomposeWorker })
    engine.listen({ decomposing: (ticket, stage) => stages.push(`${ticket} ${stage}`) })
    mkdirSync(join(folder, 'scene'))
    writeFileSync(join(folder, 'scene/frame.obj'), obj(frame()))
    writeFileSync(join(folder, 'outside.obj'), obj(frame()))
    symlinkSync(join(folder, 'outside.obj'), join(folder, 'scene/link.obj'))
  })
  afterAll(async () => {
    await engine.dispose()
    rmSync(folder, { recursive: true, force: true })
  })

  it('from bytes, reporting each stage', async () => {
    const found = await engine.decompose({ ticket: 'a', source: { kind: 'bytes', name: 'frame.obj', bytes: Buffer.from(obj(frame())) }, scale: 1, settings })
    expect(found.pieces).toHaveLength(4)
    expect(stages).toEqual(['a reading', 'a cutting'])
  })

  it('from a file below a scene\'s folder, and from nowhere else', async () => {
    const document = engine.handleFor(join(folder, 'scene/a.cairn.json'))
    const from = (path: string) => engine.decompose({ ticket: path, source: { kind: 'file', document, path }, scale: 1, settings })
    expect((await from('frame.obj')).pieces).toHaveLength(4)
    await expect(from('../outside.obj')).rejects.toMatchObject({ name: 'OutsideFolder' })
    await expect(from(join(folder, 'outside.obj'))).rejects.toMatchObject({ name: 'FileNotFound' })
    await expect(from('link.obj')).rejects.toMatchObject({ name: 'OutsideFolder', message: '"link.obj" leads out of the scene\'s folder; mesh files lie below it.' })
    await expect(from('none.obj')).rejects.toMatchObject({ name: 'FileNotFound' })
  })

  it('once for each mesh, however often that is requested', async () => {
    stages.length = 0
    const ask = (ticket: string, changes: Partial<DecompositionSettings> = {}) =>
      engine.decompose({ ticket, source: { kind: 'mesh', ...stairs(4) }, scale: 1, settings: { ...settings, ...changes } })
    const first = await ask('c')
    expect((await ask('d')).pieces).toEqual(first.pieces)
    await ask('e', { maxPieces: 20 })
    expect(stages).toEqual(['c reading', 'c cutting', 'e reading', 'e cutting'])
  })

  it('until it is cancelled', async () => {
    const found = engine.decompose({ ticket: 'long', source: { kind: 'mesh', ...torus(200, 100) }, scale: 1, settings: { ...settings, method: 'voxels', resolution: 400 } })
    await Promise.all([expect(found).rejects.toMatchObject({ name: 'Cancelled' }), engine.cancelDecomposition('long')])
  })

  it('and reports what is wrong with a file', async () => {
    const bytes = Buffer.from('v 0 0 0\nhello\n')
    await expect(engine.decompose({ ticket: 'b', source: { kind: 'bytes', name: 'a.obj', bytes }, scale: 1, settings }))
      .rejects.toMatchObject({ name: 'MeshError', message: 'OBJ, line 2: unknown record "hello"' })
  })
})
