/** Sensors and servos in files of other programs. */

import { readFileSync } from 'node:fs'
import loadMujoco from '@mujoco/mujoco'
import { describe, expect, it } from 'vitest'
import { completeOptions, formatById } from '../../../../core/formats'
import { requireScene, resolveScene, type Scene, type Sensor } from '../../../../core/scene'

type SensorOf<T> = Extract<Sensor, { type: T }>

async function imported(format: string, name: string, content: string, options: object = {}) {
  const { importer } = formatById(format)!
  const result = await importer!.run({ name, content }, () => null, completeOptions(importer!.options, options as never))
  requireScene(result.scene)
  return result
}

const mjcf = (sensors: string, actuators = '') => `<mujoco><worldbody>
  <body name="torso" pos="0 0 1"><freejoint/><geom name="trunk" size="0.1"/><site name="imu" pos="0.1 0 0" euler="0 0 90"/>
    <body name="leg" pos="0 0 -0.2"><joint name="knee" axis="0 1 0"/><geom name="shin" size="0.1"/><geom name="foot" size="0.05" pos="0 0 -0.2"/>
      <site name="sole" pos="0 0 -0.25" zaxis="0 0 -1"/><body name="pad"><geom size="0.01"/><site name="on the pad"/></body></body>
  </body></worldbody><sensor>${sensors}</sensor><actuator>${actuators}</actuator></mujoco>`

describe('MJCF', () => {
  it('makes one inertial sensor of an accelerometer and a gyro of one site, turned as the site is', async () => {
    const { scene, losses } = await imported('mjcf', 'a.xml', mjcf('<gyro name="rate" site="imu" noise="0.02"/><accelerometer name="acc" site="imu" noise="0.1"/>'))
    expect(scene.sensors).toHaveLength(1)
    const sensor = scene.sensors![0] as SensorOf<'imu'>
    expect(sensor).toMatchObject({ type: 'imu', body: 'torso', position: [0.1, 0, 0], noise: 0.1, rateNoise: 0.02 })
    expect(sensor.orientation![2]).toBeCloseTo(Math.SQRT1_2, 12)
    expect(losses.filter(({ path }) => path.includes('acc') || path.includes('rate'))).toEqual([])
  })

  it('reads touch, range, force, pose and contact sensors, and reports unsupported ones', async () => {
    const { scene, losses } = await imported('mjcf', 'a.xml', mjcf(`<touch name="step" site="sole"/><rangefinder name="height" site="sole" cutoff="3"/><force name="load" site="sole"/>
      <framepos name="where" objtype="xbody" objname="leg"/><contact name="heel" geom2="foot" data="force" reduce="netforce"/>
      <jointpos joint="knee"/><magnetometer site="imu"/>`))
    expect(scene.sensors!.map(({ id, type }) => `${id} ${type}`)).toEqual(['step contact', 'height range', 'heel contact', 'load joint', 'where pose'])
    expect(scene.sensors).toMatchObject([
      { body: 'leg' }, { body: 'leg', position: [0, 0, -0.25], direction: [0, 0, -1], maximum: 3 }, { body: 'leg', shape: 1 }, { joint: 'knee' }, { body: 'leg', position: [0, 0, 0] },
    ])
    for (const name of ['step', 'height', 'load']) expect(losses.some(({ path }) => path.includes(`"${name}"`)), name).toBe(true)
    expect(losses.filter(({ path }) => path === 'sensor').map(({ message }) => message)).toEqual(['1 sensor of kind jointpos', '1 sensor of kind magnetometer'])
  })

  it('places a sensor of a merged link on the body that contains it', async () => {
    const { scene } = await imported('mjcf', 'a.xml', mjcf('<accelerometer site="on the pad"/>'))
    expect(scene.sensors).toMatchObject([{ body: 'leg', position: [0, 0, 0] }])
  })

  it('refuses a sensor at a site that is not there', async () => {
    await expect(imported('mjcf', 'a.xml', mjcf('<gyro site="nowhere"/>'))).rejects.toThrow('no site "nowhere"')
  })

  it('reads an affine general actuator as the position servo that it is, with its control clamped', async () => {
    const { scene } = await imported('mjcf', 'a.xml', mjcf('', '<general joint="knee" gainprm="80" biastype="affine" biasprm="0 -80 -4" ctrlrange="0.5 1"/>'))
    expect(scene.joints!.find(({ id }) => id === 'knee')).toMatchObject({ servo: { target: 0.5, stiffness: 80, damping: 4 } })
  })

  it('has a motor for each joint of a scene that a controller drives', async () => {
    const walker = JSON.parse(readFileSync('scenes/four-legged-walker.cairn.json', 'utf8')) as Scene
    const { exporter } = formatById('mjcf')!
    const { files, losses } = await exporter!.run(resolveScene(requireScene(walker)), 'walker', completeOptions(exporter!.options))
    expect(losses.find(({ path }) => path === 'scripts')!.instead).toContain('a motor at each joint')
    const mj = await loadMujoco()
    const model = mj.MjModel.from_xml_string(files[0]!.content as string)!
    const motors = walker.joints!.filter(({ type }) => type === 'hinge' || type === 'slider').length
    expect(motors).toBeGreaterThan(0)
    expect(model.nu).toBe(motors)
    expect(model.nsensor).toBeGreaterThanOrEqual(walker.sensors!.length)
    model.delete()
  })
})

const sdf = (inLink: string, inJoint = '') => `<sdf version="1.9"><model name="m"><link name="base"><collision name="one"><geometry><box><size>1 1 1</size></box></geometry></collision>
  <collision name="two"><pose>1 0 0 0 0 0</pose><geometry><sphere><radius>0.5</radius></sphere></geometry></collision>${inLink}</link>
  <link name="arm"><pose>0 0 1 0 0 0</pose></link><joint name="hinge" type="revolute"><parent>base</parent><child>arm</child><axis><xyz>0 1 0</xyz></axis>${inJoint}</joint></model></sdf>`

describe('SDFormat', () => {
  it('reads inertial sensors with their noise and place', async () => {
    const noise = (value: number) => ['x', 'y', 'z'].map(axis => `<${axis}><noise type="gaussian"><mean>0</mean><stddev>${value}</stddev></noise></${axis}>`).join('')
    const { scene, losses } = await imported('sdf', 'a.sdf', sdf(`<sensor name="imu" type="imu"><pose>0 0 0.5 0 0 0</pose><update_rate>100</update_rate><imu>
      <angular_velocity>${noise(0.01)}</angular_velocity><linear_acceleration>${noise(0.2)}</linear_acceleration></imu></sensor>`))
    expect(scene.sensors).toMatchObject([{ id: 'imu', type: 'imu', body: 'base', position: [0, 0, 0.5], noise: 0.2, rateNoise: 0.01 }])
    expect(losses.some(({ message }) => message.includes('100 times a second'))).toBe(true)
  })

  it('reads contact sensors of one collision, the middle of many rays, and forces of joints', async () => {
    const { scene, losses } = await imported('sdf', 'a.sdf', sdf(`<sensor name="touch" type="contact"><contact><collision>two</collision></contact></sensor>
      <sensor name="lidar" type="gpu_ray"><ray><scan><horizontal><samples>3</samples><min_angle>0</min_angle><max_angle>1.5707963267948966</max_angle></horizontal></scan>
      <range><min>0.1</min><max>8</max></range></ray></sensor><sensor name="eye" type="camera"/>`, '<sensor name="wrench" type="force_torque"/>'))
    const byId = new Map(scene.sensors!.map(sensor => [sensor.id, sensor]))
    expect([...byId.keys()].sort()).toEqual(['lidar', 'touch', 'wrench'])
    expect(byId.get('touch')).toMatchObject({ body: 'base', shape: 1 })
    expect(byId.get('wrench')).toMatchObject({ type: 'joint', joint: 'hinge' })
    const { direction } = byId.get('lidar') as SensorOf<'range'>
    expect(direction[0]).toBeCloseTo(Math.SQRT1_2, 12)
    expect(direction[1]).toBeCloseTo(Math.SQRT1_2, 12)
    for (const said of ['3 rays', 'nearer than 0.1', 'type "camera"', 'child on the parent']) expect(losses.some(({ message }) => message.includes(said)), said).toBe(true)
  })
})
