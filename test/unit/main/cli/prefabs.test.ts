/** Prefabs from the command line: their files are read with the scene, and are not needed by the run's file. */
import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { parseScene, type Scene } from '../../../../core/scene'
import { withValues } from '../../../../main/batch/set-values'
import { readScene } from '../../../../main/engine/prefabs'
import { TrajectoryReader } from '../../../../main/engine/reader'
import { built, scratch } from '../built'

const folder = scratch()
afterAll(() => rmSync(folder, { recursive: true, force: true }))

let cli = ''
beforeAll(async () => { cli = built().cli })

function cairn(...args: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [cli, ...args], { encoding: 'utf8', cwd: folder, timeout: 50_000, maxBuffer: 1 << 28 })
  return { code: status, out: stdout, err: stderr, json: () => JSON.parse(stdout) as Record<string, unknown> & { errors: { name: string; path: string; message: string }[] } }
}

const material = { id: 'rubber', density: 1000, friction: { static: 0.5, dynamic: 0.4 }, restitution: 0.8 }
const ball: Scene = {
  format: 'cairn-scene', version: 1, materials: [material], bodies: [{ id: 'ball', shapes: [{ type: 'sphere', radius: 0.1, material: 'rubber' }] }],
}
const ground = { id: 'ground', type: 'fixed' as const, shapes: [{ type: 'halfSpace' as const, normal: [0, 0, 1] as const, offset: 0, material: 'rubber' }] }
const simulation = { duration: 0.5, outputRate: 50 }
const scene = (more: Partial<Scene> = {}): Scene => ({
  format: 'cairn-scene', version: 1, materials: [material], bodies: [ground], prefabs: [{ id: 'ball', file: 'parts/ball.cairn.json' }],
  instances: [{ id: 'a', prefab: 'ball', position: [0, 0, 0.5] }, { id: 'b', prefab: 'ball', position: [1, 0, 1] }], simulation, ...more,
})
const write = (name: string, content: object | string) => writeFileSync(join(folder, name), typeof content === 'string' ? content : JSON.stringify(content))

beforeEach(() => {
  rmSync(join(folder, 'parts'), { recursive: true, force: true })
  mkdirSync(join(folder, 'parts'))
  write('parts/ball.cairn.json', ball)
  write('balls.cairn.json', scene())
})

it('simulate gives the frames of the scene written by hand, and the run plays without the files', { tags: 'long' }, () => {
  const byHand: Scene = {
    format: 'cairn-scene', version: 1, materials: [material], simulation,
    bodies: [ground, ...([['a', [0, 0, 0.5]], ['b', [1, 0, 1]]] as const).map(([id, position]) => ({ ...ball.bodies![0]!, id: `${id}.ball`, position }))],
  }
  write('by-hand.cairn.json', byHand)
  expect(cairn('simulate', 'balls.cairn.json').code).toBe(0)
  expect(cairn('simulate', 'by-hand.cairn.json').code).toBe(0)
  rmSync(join(folder, 'parts'), { recursive: true })
  const [one, other] = ['balls.mcap', 'by-hand.mcap'].map(name => new TrajectoryReader(join(folder, name)))
  expect(one!.header.sceneHash).toBe(other!.header.sceneHash)
  expect(one!.header.bodyIds).toEqual(['ground', 'a.ball', 'b.ball'])
  for (let frame = 0; frame < one!.frames; frame++) expect(one!.frame(frame).hash).toBe(other!.frame(frame).hash)
  expect(parseScene(one!.scene).ok).toBe(true)
  for (const reader of [one!, other!]) reader.close()
  expect(cairn('inspect', 'balls.mcap', '--time', '0.2', '--json').code).toBe(0)
  expect(cairn('export', 'balls.mcap', '--to', 'usda', '-o', 'balls.usda').code).toBe(0)
})

it('validate, check, export and simulate --set handle the objects of instances', { tags: 'long' }, () => {
  expect(cairn('validate', 'balls.cairn.json')).toMatchObject({ code: 0 })
  expect(cairn('export', 'balls.cairn.json', '--to', 'mjcf', '-o', 'balls.xml').code).toBe(0)
  expect(readFileSync(join(folder, 'balls.xml'), 'utf8')).toContain('b.ball')
  const height = (...set: string[]) => {
    expect(cairn('simulate', 'balls.cairn.json', '-o', 'set.mcap', '--duration', '0.1', ...set.flatMap(one => ['--set', one])).code).toBe(0)
    const reader = new TrajectoryReader(join(folder, 'set.mcap'))
    const z = reader.frame(0).bodies[1 * 13 + 2]
    reader.close()
    return z
  }
  expect(height()).toBe(0.5)
  expect(height('instances.a.position[2]=3')).toBe(3)
  expect(height('bodies[1].position[2]=4')).toBe(4)
  expect(height('instances.a.position[2]=3', 'bodies[1].position[0]=1')).toBe(3)
})

it('a sweep varies the positions of instances', { tags: 'long' }, () => {
  const sweep = (values: string) => {
    const answer = cairn('sweep', 'balls.cairn.json', '-o', `sweep-${values}`, '--vary', `height=instances.a.position[2]=${values}`, '--json')
    expect(answer.code).toBe(0)
    return answer.json() as unknown as { total: number; failed: number; contentHash: string }
  }
  const [first, other] = [sweep('1,2'), sweep('1,1')]
  expect(first).toMatchObject({ total: 2, failed: 0 })
  const text = readScene(join(folder, 'balls.cairn.json'))
  const at = (z: number) => (parseScene(withValues(text, [{ path: 'instances.a.position[2]', value: z }])) as { scene: Scene }).scene.bodies!.find(({ id }) => id === 'a.ball')!.position![2]
  expect([at(1), at(2)]).toEqual([1, 2])
  expect(first.contentHash).not.toBe(other.contentHash)
})

it('a faulty prefab is refused, with the path in the scene', { tags: 'long' }, () => {
  const told = (more: Partial<Scene>) => {
    write('wrong.cairn.json', scene(more))
    const answer = cairn('validate', 'wrong.cairn.json', '--json')
    expect(answer.code).toBe(cairn('simulate', 'wrong.cairn.json', '--json').code)
    return answer.json().errors.map(({ name, path }) => [name, path])
  }
  expect(told({ prefabs: [{ id: 'ball', file: 'parts/none.json' }] })).toEqual([['PrefabNotRead', 'prefabs[0].file']])
  expect(told({ prefabs: [{ id: 'ball', file: '../secret.json' }] })).toEqual([['InvalidPath', 'prefabs[0].file']])
  symlinkSync('/etc/hostname', join(folder, 'parts', 'link.json'))
  expect(told({ prefabs: [{ id: 'ball', file: 'parts/link.json' }] })).toEqual([['PrefabNotRead', 'prefabs[0].file']])
  write('parts/round.json', { format: 'cairn-scene', version: 1, prefabs: [{ id: 'p', file: 'round.json' }], instances: [{ id: 'i', prefab: 'p' }] })
  expect(told({ prefabs: [{ id: 'ball', file: 'parts/round.json' }] })).toEqual([['CircularPrefabs', 'prefabs[0].file']])
  write('parts/broken.json', '{"format": "cairn-scene", ')
  expect(told({ prefabs: [{ id: 'ball', file: 'parts/broken.json' }] })).toEqual([['MalformedJson', 'prefabs[0].file']])
})
