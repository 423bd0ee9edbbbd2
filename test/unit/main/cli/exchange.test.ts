/** Scenes of other simulators from the command line: reading, writing, reported losses, and refusals. */
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { built, scratch } from '../built'

const folder = scratch()
afterAll(() => rmSync(folder, { recursive: true, force: true }))

let cli = ''
beforeAll(async () => {
  cli = built().cli
})

function cairn(...args: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [cli, ...args], { encoding: 'utf8', cwd: folder, timeout: 55_000 })
  return { code: status, out: stdout, err: stderr }
}

interface Scene {
  bodies: { id: string; position: number[]; shapes: { type: string }[]; mass?: { mass: number } }[]
  joints: { id: string; type: string; bodyA: string; bodyB: string | null; anchor: number[]; axis: number[] }[]
}
const sceneOf = (name: string) => JSON.parse(readFileSync(join(folder, name), 'utf8')) as Scene
const write = (name: string, text: string) => { writeFileSync(join(folder, name), text) }

const inertial = (mass: number, height: number) => `<inertial><origin xyz="0 0 ${height}"/><mass value="${mass}"/>`
  + '<inertia ixx="0.01" ixy="0" ixz="0" iyy="0.01" iyz="0" izz="0.01"/></inertial>'
const URDF = `<robot name="arm">
  <link name="base"><collision><geometry><box size="0.2 0.2 0.1"/></geometry></collision></link>
  <link name="upper">${inertial(2, -0.25)}<collision><origin xyz="0 0 -0.25"/><geometry><cylinder radius="0.03" length="0.5"/></geometry></collision></link>
  <link name="lower">${inertial(1, -0.2)}<collision><geometry><mesh filename="package://arm/lower.stl"/></geometry></collision></link>
  <joint name="shoulder" type="revolute">
    <parent link="base"/><child link="upper"/><origin xyz="0 0 1"/><axis xyz="0 1 0"/><limit lower="-1" upper="1" effort="5" velocity="2"/>
  </joint>
  <joint name="elbow" type="continuous"><parent link="upper"/><child link="lower"/><origin xyz="0 0 -0.5"/><axis xyz="0 1 0"/></joint>
</robot>`
const MJCF = `<mujoco model="pendulum">
  <option gravity="0 0 -1.62"/>
  <worldbody>
    <geom type="plane" size="0 0 1"/>
    <body name="bob" pos="0 0 2">
      <joint name="pivot" type="hinge" axis="0 1 0" pos="0 0 0.5" damping="0.1"/>
      <geom type="sphere" size="0.1" mass="3"/>
      <site name="tip"/>
    </body>
  </worldbody>
  <sensor><jointpos joint="pivot"/></sensor>
</mujoco>`

describe('cairn import', () => {
  it('converts a URDF to a scene that runs, and reports what is lost, missing and assumed', { tags: 'long' }, () => {
    write('arm.urdf', URDF)
    const { code, out, err } = cairn('import', 'arm.urdf', '--json')
    expect(code).toBe(0)
    expect(JSON.parse(out)).toMatchObject({
      status: 'completed', format: 'urdf', scene: 'arm.cairn.json', missing: [expect.stringContaining('lower.stl') as string],
      losses: expect.arrayContaining([expect.objectContaining({ path: expect.stringMatching(/^joint "shoulder", arm\.urdf:\d+$/) as string })]) as object[],
    })
    expect(err).toMatch(/^missing: .*lower\.stl$/m)
    expect(err).toMatch(/^loss: joint "shoulder".*[^.]; instead: a joint without a drive$/m)
    const { bodies, joints } = sceneOf('arm.cairn.json')
    expect(bodies.map(({ id, position, mass }) => [id, position, mass?.mass])).toStrictEqual([['base', [0, 0, 0], undefined], ['upper', [0, 0, 1], 2], ['lower', [0, 0, 0.5], 1]])
    expect(joints).toMatchObject([
      { id: 'shoulder', type: 'hinge', bodyA: 'upper', bodyB: 'base', anchor: [0, 0, 1], axis: [0, 1, 0] }, { id: 'elbow', type: 'hinge', bodyA: 'lower', bodyB: 'upper', anchor: [0, 0, 0.5] },
    ])
    expect(cairn('simulate', 'arm.cairn.json', '--duration', '0.1', '-o', 'arm.mcap').code).toBe(0)
  })

  it('converts an MJCF as --option and --from say', () => {
    write('pendulum.xml', MJCF)
    expect(cairn('import', 'pendulum.xml', '--from', 'mjcf', '--option', 'fixedLinks=keep', '-o', 'moon.cairn.json')).toMatchObject({ code: 0, out: 'moon.cairn.json\n' })
    const scene = sceneOf('moon.cairn.json')
    expect(scene).toMatchObject({ gravity: [0, 0, -1.62], joints: [{ id: 'pivot', type: 'hinge', bodyB: null, anchor: [0, 0, 2.5], damping: 0.1 }] })
    expect(scene.bodies.find(({ id }) => id === 'bob')!.mass!.mass).toBeCloseTo(3, 12)
    expect(scene.bodies.flatMap(({ shapes }) => shapes.map(({ type }) => type)).sort()).toStrictEqual(['halfSpace', 'sphere'])
    expect(cairn('import', 'pendulum.xml', '-o', 'again.cairn.json').err).toMatch(/^loss: sensor: /m)
  })

  it('refuses missing files, XML entities, unknown formats and options, and writes nothing', { tags: 'long' }, () => {
    write('hidden.urdf', '<!DOCTYPE robot [<!ENTITY a "aa">]><robot name="a">&a;</robot>')
    write('torn.urdf', '<robot name="a"><link name="b">')
    write('other.xml', '<note/>')
    for (const [args, message] of [
      [['hidden.urdf'], /document type/], [['torn.urdf'], /not XML/], [['other.xml'], /./], [['nowhere.urdf'], /nowhere\.urdf/],
      [['arm.urdf', '--from', 'blend'], /blend/], [['arm.urdf', '--option', 'colour=red'], /colour/], [['arm.urdf', '--option', 'root=hanging'], /root/],
    ] as const) {
      const { code, out } = cairn('import', ...args, '-o', 'refused.cairn.json', '--json')
      expect([args, code]).toStrictEqual([args, 2])
      expect(out).toMatch(message)
    }
    expect(existsSync(join(folder, 'refused.cairn.json'))).toBe(false)
  })
})

describe('cairn export --to urdf', () => {
  it('writes the file and those that it refers to, reports losses, and is imported as the same bodies', { tags: 'long' }, () => {
    write('arm.urdf', URDF.replace('<mesh filename="package://arm/lower.stl"/>', '<sphere radius="0.1"/>'))
    expect(cairn('import', 'arm.urdf', '-o', 'whole.cairn.json').code).toBe(0)
    const { code, out } = cairn('export', 'whole.cairn.json', '--to', 'urdf', '--json')
    expect(code).toBe(0)
    expect(JSON.parse(out)).toMatchObject({ status: 'completed', format: 'urdf', files: ['whole.urdf'], losses: expect.arrayContaining([expect.objectContaining({ path: 'simulation' })]) as object[] })
    expect(cairn('import', 'whole.urdf', '-o', 'back.cairn.json').code).toBe(0)
    const [before, after] = [sceneOf('whole.cairn.json'), sceneOf('back.cairn.json')]
    const facts = ({ bodies, joints }: Scene) => ({
      bodies: bodies.filter(({ mass }) => mass !== undefined).map(({ id, position, mass }) => [id, position, mass!.mass]),
      joints: joints.map(({ id, type, bodyA, anchor, axis }) => [id, type, bodyA, anchor, axis]),
    })
    expect(facts(after)).toStrictEqual(facts(before))
  })

  it('writes meshes beside it, as --option says, and reports losses on standard error', () => {
    const scene = {
      format: 'cairn-scene', version: 1, materials: [{ id: 'stone', restitution: 0.5 }],
      bodies: [{ id: 'peak', position: [0, 0, 1], shapes: [{ type: 'cone', radius: 0.2, height: 0.3, material: 'stone' }] }],
    }
    write('peak.cairn.json', JSON.stringify(scene))
    const { code, out, err } = cairn('export', 'peak.cairn.json', '--to', 'urdf', '--option', 'meshPath=parts', '-o', 'peak.urdf')
    expect([code, out]).toStrictEqual([0, 'peak.urdf\nparts/peak-0.obj\n'])
    expect(readFileSync(join(folder, 'peak.urdf'), 'utf8')).toContain('<mesh filename="parts/peak-0.obj"/>')
    expect(readFileSync(join(folder, 'parts/peak-0.obj'), 'utf8')).toMatch(/^v .*\n[\s\S]*\nf \d+ \d+ \d+\n$/)
    expect(err).toMatch(/^loss: bodies\[0\]\.shapes\[0\]: URDF has no cone; instead: a mesh/m)
    expect(err).toMatch(/^loss: materials\[\]\.restitution: URDF has no restitution; instead: none$/m)
  })

  it('refuses unknown targets and options', () => {
    expect(cairn('export', 'peak.cairn.json', '--to', 'blend', '--json')).toMatchObject({ code: 2, out: expect.stringContaining('urdf') as string })
    expect(cairn('export', 'peak.cairn.json', '--to', 'urdf', '--option', 'capsules=round', '-o', 'no.urdf', '--json')).toMatchObject({ code: 2, out: expect.stringContaining('capsules') as string })
    expect(existsSync(join(folder, 'no.urdf'))).toBe(false)
  })
})
