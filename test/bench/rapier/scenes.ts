/** Scenes of flat solids and balls for the comparison with rapier, in Cairn's format; no table of targets names them. */

import { aboutAxis } from '../../../core/formats/shared/rotations'
import { multiplyQuaternions } from '../../../core/math/quaternion'
import { add, scale, type Vec3 } from '../../../core/math/vector'
import type { Body, Joint, Scene, Shape } from '../../../core/scene'
import { direction, random } from '../../unit/core/collision/random'

/** Both engines compute a step of this length, s. */
export const STEP = 1 / 60
const MATERIAL = 'all'

export const SCENES: Readonly<Record<string, () => Scene>> = {
  'wall struck by a ball': wall, 'hulls in a box': hulls, 'dominoes on an arc': dominoes, 'rope bridge with a load': bridge, gears,
}

/** Ten courses of bricks in running bond. */
function wall(): Scene {
  const brick: Vec3 = [0.4, 0.2, 0.2]
  const bricks: Body[] = []
  for (let course = 0; course < 10; course++) {
    for (let i = 0; i < 7; i++) {
      bricks.push(dynamic(`brick-${course}-${i}`, [(i - 3 + (course % 2) / 2) * brick[0], 0, (course + 0.5) * brick[2]], [box(brick)]))
    }
  }
  const ball = dynamic('ball', [0, -2, 1.1], [{ type: 'sphere', radius: 0.25, material: MATERIAL }])
  return scene('wall struck by a ball', 3, [ground(), ...bricks, { ...ball, linearVelocity: [0, 8, 1] }])
}

/** Eighty hulls of twelve random points fall into a box without a lid. */
function hulls(): Scene {
  const next = random(7)
  const inside = 1.2
  const thick = 0.2
  const side = (id: string, position: Vec3, size: Vec3): Body => ({ id, type: 'fixed', position, shapes: [box(size)] })
  const walls = ([-1, 1] as const).flatMap(sign => [
    side(`x${sign}`, [sign * (inside + thick) / 2, 0, 1], [thick, inside + 2 * thick, 2]), side(`y${sign}`, [0, sign * (inside + thick) / 2, 1], [inside, thick, 2]),
  ])
  const pieces = Array.from({ length: 80 }, (_, i): Body => {
    const points = Array.from({ length: 12 }, (): Vec3 => scale(direction(next), 0.11))
    const at: Vec3 = [(i % 4 - 1.5) * 0.28, (Math.floor(i / 4) % 4 - 1.5) * 0.28, 0.3 + Math.floor(i / 16) * 0.3]
    return dynamic(`hull-${i}`, at, [{ type: 'convexHull', points, material: MATERIAL }])
  })
  return scene('hulls in a box', 4, [ground(), ...walls, ...pieces])
}

/** Forty dominoes on a half circle, of which the first one leans. */
function dominoes(): Scene {
  const count = 40
  const [radius, size] = [1.6, [0.04, 0.16, 0.32] as Vec3]
  const lean = 0.15
  const bodies = Array.from({ length: count }, (_, i): Body => {
    const angle = Math.PI * i / (count - 1)
    const standing = dynamic(`domino-${i}`, [radius * Math.cos(angle), radius * Math.sin(angle), size[2] / 2], [box(size)])
    const turn = angle + Math.PI / 2
    if (i > 0) return { ...standing, orientation: aboutAxis([0, 0, 1], turn) }
    // It stands on its lower front edge.
    const forward = (size[2] * Math.sin(lean) + size[0] * (1 - Math.cos(lean))) / 2
    const height = (size[2] * Math.cos(lean) + size[0] * Math.sin(lean)) / 2
    return { ...standing, position: [radius, forward, height], orientation: multiplyQuaternions(aboutAxis([0, 0, 1], turn), aboutAxis([0, 1, 0], lean)) }
  })
  return scene('dominoes on an arc', 4, [ground(), ...bodies])
}

/** Twenty planks, each hinged to the next, the ends to the world, hang on an arc; two crates fall on the middle. */
function bridge(): Scene {
  const count = 20
  const [pitch, size] = [0.25, [0.22, 0.8, 0.05] as Vec3]
  const bend = 1.2 / count
  const hinges: Vec3[] = [[0, 0, 2]]
  for (let i = 0; i < count; i++) {
    const [x, y, z] = hinges[i]!
    const slope = slopeOf(i)
    hinges.push([x + pitch * Math.cos(slope), y, z - pitch * Math.sin(slope)])
  }
  // A rotation by a positive angle about y points a plank downwards.
  function slopeOf(i: number): number {
    return bend * ((count - 1) / 2 - i)
  }
  const planks = Array.from({ length: count }, (_, i): Body => (
    { ...dynamic(`plank-${i}`, scale(add(hinges[i]!, hinges[i + 1]!), 0.5), [box(size)]), orientation: aboutAxis([0, 1, 0], slopeOf(i)) }))
  const joints = hinges.map((anchor, i): Joint => ({
    id: `hinge-${i}`, type: 'hinge', bodyA: i === 0 || i === count ? null : `plank-${i - 1}`, bodyB: `plank-${Math.min(i, count - 1)}`, anchor, axis: [0, 1, 0],
  }))
  const [middle, , bottom] = hinges[count / 2]!
  const crates = [-0.3, 0.3].map((x, i) => dynamic(`crate-${i}`, [middle + x, 0.05 * i, bottom + 0.6], [box([0.4, 0.4, 0.4])]))
  return scene('rope bridge with a load', 5, [...planks, ...crates], joints)
}

/** Four toothed wheels in a train, the first of which turns. */
function gears(): Scene {
  const teeth = 16
  const [root, tip, width] = [0.40, 0.50, 0.1]
  const pitch = (root + tip) / 2
  const wheels = Array.from({ length: 4 }, (_, i): Body => {
    // A tooth of every other wheel faces a gap of its neighbours.
    const phase = i % 2 === 0 ? 0 : Math.PI / teeth
    const wheel = dynamic(`wheel-${i}`, [i * (2 * pitch + 0.015), 0, 1], [hub(teeth, root, width), ...Array.from({ length: teeth }, (_, k) => tooth(phase + 2 * Math.PI * k / teeth, root, tip, width))])
    return i === 0 ? { ...wheel, angularVelocity: [0, 6, 0] } : wheel
  })
  const axles = wheels.map(({ id, position }): Joint => ({ id: `axle-of-${id}`, type: 'hinge', bodyA: null, bodyB: id, anchor: position!, axis: [0, 1, 0] }))
  return scene('gears', 4, wheels, axles)
}

function hub(sides: number, radius: number, width: number): Shape {
  const points = Array.from({ length: sides }, (_, k) => 2 * Math.PI * (k + 0.5) / sides)
    .flatMap((angle): Vec3[] => [-0.5, 0.5].map(side => [radius * Math.cos(angle), side * width, radius * Math.sin(angle)]))
  return { type: 'convexHull', points, material: MATERIAL }
}

/** Narrower at its tip, so that teeth of a pitch of 2π/16 pass each other. */
function tooth(angle: number, root: number, tip: number, width: number): Shape {
  const corner = (radius: number, across: number, side: number): Vec3 => [
    radius * Math.cos(angle) - across * Math.sin(angle), side * width / 2, radius * Math.sin(angle) + across * Math.cos(angle),
  ]
  const points = [-1, 1].flatMap(side => [-1, 1].flatMap(across => [corner(root - 0.03, 0.04 * across, side), corner(tip, 0.018 * across, side)]))
  return { type: 'convexHull', points, material: MATERIAL }
}

function scene(name: string, duration: number, bodies: Body[], joints: Joint[] = []): Scene {
  return {
    format: 'cairn-scene', version: 1, name, gravity: [0, 0, -9.81], bodies, joints,
    materials: [{ id: MATERIAL, density: 800, friction: { static: 0.5, dynamic: 0.5 }, restitution: 0 }],
    simulation: { method: 'time-stepping', duration, outputRate: 1 / STEP, timeStepping: { step: STEP } },
  }
}

const ground = (): Body => ({ id: 'ground', type: 'fixed', position: [0, 0, -0.5], shapes: [box([20, 20, 1])] })
const box = (size: Vec3): Shape => ({ type: 'box', size, material: MATERIAL })
const dynamic = (id: string, position: Vec3, shapes: Shape[]): Body => ({ id, type: 'dynamic', position, shapes })
