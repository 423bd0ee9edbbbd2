/**
 * Scenes as people build them first: towers, balls, dice, dominoes, machines and things that fall over, with ordinary materials and all settings at their
 * defaults. No figure or tolerance was ever tuned to them.
 */

type Numbers = readonly number[]

const material = (id: string, density: number, friction: number, restitution: number, rolling = 0): object =>
  ({ id, density, friction: { static: friction, dynamic: 0.9 * friction, rolling }, restitution })

const materials = [
  material('wood', 600, 0.5, 0.3), material('steel', 7850, 0.3, 0.6), material('rubber', 1100, 0.9, 0.7), material('ice', 900, 0.03, 0.1),
  material('stone', 2500, 0.6, 0.1), material('felt', 1000, 0.4, 0, 0.005),
]

const box = (...size: number[]): object => ({ type: 'box', size })
const sphere = (radius: number): object => ({ type: 'sphere', radius })
const cylinder = (radius: number, height: number): object => ({ type: 'cylinder', radius, height })
const capsule = (radius: number, height: number): object => ({ type: 'capsule', radius, height })

const body = (id: string, shape: object, position: Numbers, made = 'wood', rest: object = {}): object =>
  ({ id, position, shapes: [{ ...shape, material: made }], ...rest })
const fixed = (id: string, shape: object, position: Numbers, made = 'stone', rest: object = {}): object => body(id, shape, position, made, { type: 'fixed', ...rest })
const ground = (made = 'stone'): object => ({ id: 'ground', type: 'fixed', shapes: [{ type: 'halfSpace', normal: [0, 0, 1], offset: 0, material: made }] })
const ball = (id: string, bodyA: string, bodyB: string, anchor: Numbers): object => ({ id, type: 'ball', bodyA, bodyB, anchor })
const hinge = (id: string, bodyA: string, bodyB: string, anchor: Numbers, rest: object = {}): object => ({ id, type: 'hinge', bodyA, bodyB, anchor, axis: [0, 1, 0], ...rest })

function about(axis: Numbers, angle: number): number[] {
  const size = Math.hypot(...axis)
  return [...axis.map(x => x / size * Math.sin(angle / 2)), Math.cos(angle / 2)]
}

const QUARTER = Math.PI / 2
const lying = { orientation: about([1, 0, 0], QUARTER) }

const times = <T>(count: number, make: (k: number) => T): T[] => Array.from({ length: count }, (_, k) => make(k))

/** Spread over −1 … 1, the same in each run. */
const scattered = (k: number): number => 2 * ((k * 0.6180339887) % 1) - 1

interface Everyday {
  readonly bodies: readonly object[]
  readonly joints?: readonly object[]
  /** s */
  readonly duration: number
}

function bowling(): Everyday {
  const pins = times(4, row => times(row + 1, k => body(`pin-${row}-${k}`, cylinder(0.06, 0.38), [6 + 0.26 * row, (k - row / 2) * 0.305, 0.19]))).flat()
  return { bodies: [ground('ice'), ...pins, body('ball', sphere(0.11), [0, 0.03, 0.11], 'rubber', { linearVelocity: [7, 0, 0] })], duration: 3 }
}

function billiards(): Everyday {
  const rack = times(5, row => times(row + 1, k => body(`ball-${row}-${k}`, sphere(0.028575), [0.05 * row, (k - row / 2) * 0.0572, 0.028575], 'felt'))).flat()
  return { bodies: [ground('felt'), ...rack, body('cue', sphere(0.028575), [-0.8, 0.002, 0.028575], 'felt', { linearVelocity: [4, 0, 0] })], duration: 3 }
}

function spiral(): Everyday {
  let angle = 0
  const dominoes = times(40, k => {
    const radius = 0.3 + 0.03 * angle
    const one = body(`domino-${k}`, box(0.012, 0.03, 0.06), [radius * Math.cos(angle), radius * Math.sin(angle), 0.03], 'wood', {
      orientation: about([0, 0, 1], angle + QUARTER), ...k === 0 ? { linearVelocity: [0, 0.25, 0] } : {},
    })
    angle += 0.045 / radius
    return one
  })
  return { bodies: [ground(), ...dominoes], duration: 4 }
}

function crank(): Everyday {
  const base = fixed('base', box(2, 0.2, 0.1), [0.5, 0.4, 0], 'steel')
  const parts = [
    body('crank', box(0.3, 0.04, 0.04), [0.15, 0, 0.3], 'steel'), body('rod', box(0.8, 0.03, 0.03), [0.7, 0.05, 0.3], 'steel'),
    body('piston', box(0.15, 0.1, 0.1), [1.1, 0.05, 0.3], 'steel'),
  ]
  return {
    bodies: [base, ...parts], duration: 4,
    joints: [
      hinge('shaft', 'crank', 'base', [0, 0, 0.3], { motor: { targetVelocity: 10, maxForce: 20 } }), hinge('pin', 'rod', 'crank', [0.3, 0.02, 0.3]),
      hinge('bolt', 'rod', 'piston', [1.1, 0.05, 0.3]), { id: 'guide', type: 'slider', bodyA: 'piston', bodyB: 'base', anchor: [1.1, 0.05, 0.3], axis: [1, 0, 0] },
    ],
  }
}

function chain(): Everyday {
  const links = times(20, k => body(`link-${k}`, capsule(0.02, 0.08), [0, 0, 2.94 - 0.12 * k], 'steel'))
  const joints = times(20, k => ball(`joint-${k}`, `link-${k}`, k === 0 ? 'hook' : `link-${k - 1}`, [0, 0, 3 - 0.12 * k]))
  const weight = body('weight', sphere(0.15), [0, 0, 0.45], 'steel', { linearVelocity: [2, 0, 0] })
  return { bodies: [fixed('hook', box(0.1, 0.1, 0.1), [0, 0, 3.1], 'steel'), ...links, weight], joints: [...joints, ball('last', 'weight', 'link-19', [0, 0, 0.6])], duration: 4 }
}

function car(): Everyday {
  const places = [[0.8, 0.5], [0.8, -0.5], [-0.8, 0.5], [-0.8, -0.5]] as const
  const bumps = times(4, k => fixed(`bump-${k}`, cylinder(0.1, 3), [3 + 1.1 * k, 0, -0.03], 'stone', lying))
  return {
    bodies: [ground(), body('chassis', box(2, 0.7, 0.3), [0, 0, 0.45]), ...places.map(([x, y], k) => body(`wheel-${k}`, cylinder(0.25, 0.15), [x, y, 0.25], 'rubber', lying)), ...bumps],
    joints: places.map(([x, y], k) => hinge(`axle-${k}`, `wheel-${k}`, 'chassis', [x, y, 0.25], x < 0 ? { motor: { targetVelocity: 12, maxForce: 40 } } : {})), duration: 5,
  }
}

function catapult(): Everyday {
  return {
    bodies: [
      ground(), fixed('stand', box(0.2, 0.2, 0.8), [0, 0.4, 0.4]), body('arm', box(2.4, 0.1, 0.06), [-0.4, 0, 0.8]),
      body('weight', box(0.3, 0.3, 0.3), [0.7, 0, 0.61], 'steel'), body('shot', sphere(0.08), [-1.5, 0, 0.91], 'stone'),
    ],
    joints: [hinge('pivot', 'arm', 'stand', [0, 0.1, 0.8]), { id: 'bolt', type: 'fixed', bodyA: 'weight', bodyB: 'arm', anchor: [0.7, 0, 0.8] }], duration: 3,
  }
}

function funnel(): Everyday {
  const plates = times(8, k => {
    const angle = QUARTER * k / 2
    return {
      id: `plate-${k}`, type: 'fixed', position: [0.45 * Math.cos(angle), 0.45 * Math.sin(angle), 1], orientation: about([0, 0, 1], angle),
      shapes: [{ ...box(0.04, 0.5, 0.8), material: 'steel', orientation: about([0, 1, 0], 0.6) }],
    }
  })
  const balls = times(48, k => body(
    `ball-${k}`, sphere(0.05), [(k % 4 - 1.5) * 0.11 + 0.005 * scattered(k), (Math.floor(k / 4) % 4 - 1.5) * 0.11 + 0.005 * scattered(k + 48), 1.3 + 0.12 * Math.floor(k / 16)], 'steel'))
  return { bodies: [ground(), ...plates, ...balls], duration: 2 }
}

/** @param across bricks in a course */
function wreckingBall(across: number): Everyday {
  const bricks = times(8 * across, k => {
    const course = Math.floor(k / across)
    return body(`brick-${k}`, box(0.2, 0.4, 0.2), [0, (k % across - (across - 1) / 2) * 0.402 + 0.2 * (course % 2), 0.1 + 0.2 * course], 'stone')
  })
  const crane = fixed('crane', box(0.2, 0.2, 0.2), [-0.7, 0, 4.1], 'steel')
  return { bodies: [ground(), crane, ...bricks, body('ball', sphere(0.35), [-3.3, 0, 2.2], 'steel')], joints: [ball('rope', 'ball', 'crane', [-0.7, 0, 4])], duration: 1.5 }
}

function dice(): Everyday {
  const thrown = times(6, k => body(`die-${k}`, box(0.016, 0.016, 0.016), [0.03 * k, 0, 0.2 + 0.02 * k], 'felt', {
    linearVelocity: [1, 0.1 * k, 0], angularVelocity: times(3, i => 30 * scattered(3 * k + i)),
  }))
  return { bodies: [ground('felt'), ...thrown], duration: 3 }
}

function table(): Everyday {
  const corners = times(4, k => [k % 2 === 0 ? -0.45 : 0.45, k < 2 ? -0.45 : 0.45] as const)
  return {
    bodies: [
      ground(), body('top', box(1, 1, 0.05), [0, 0, 0.5]), ...corners.map(([x, y], k) => body(`leg-${k}`, box(0.05, 0.05, 0.475), [x, y, 0.2375])),
      body('vase', cylinder(0.06, 0.25), [0.1, 0, 0.65], 'stone'),
    ],
    joints: corners.map(([x, y], k) => ({ id: `screw-${k}`, type: 'fixed', bodyA: `leg-${k}`, bodyB: 'top', anchor: [x, y, 0.475] })), duration: 2,
  }
}

function seesaw(): Everyday {
  return {
    bodies: [
      ground(), fixed('pivot', cylinder(0.1, 0.6), [0, 0, 0.1], 'wood', lying), body('plank', box(2.4, 0.3, 0.04), [0, 0, 0.2201]),
      body('heavy', box(0.3, 0.3, 0.3), [0.9, 0, 1.5], 'stone'), body('light', box(0.15, 0.15, 0.15), [-1, 0, 0.3152]),
    ],
    duration: 3,
  }
}

function ragdoll(): Everyday {
  const z = 2.4
  const sides = [['left', 0.25], ['right', -0.25]] as const
  const limbs = sides.flatMap(([side, y]) => [
    body(`${side}-arm`, capsule(0.05, 0.2), [0.1, y, z + 0.1], 'rubber'), body(`${side}-forearm`, capsule(0.045, 0.2), [0.1, y, z - 0.2], 'rubber'),
    body(`${side}-thigh`, capsule(0.07, 0.25), [0.1, 0.45 * y, z - 0.5], 'rubber'), body(`${side}-shin`, capsule(0.06, 0.25), [0.1, 0.45 * y, z - 0.92], 'rubber'),
  ])
  const joints = sides.flatMap(([side, y]) => [
    ball(`${side}-shoulder`, `${side}-arm`, 'torso', [0.1, y, z + 0.22]), ball(`${side}-hip`, `${side}-thigh`, 'torso', [0.1, 0.45 * y, z - 0.3]),
    hinge(`${side}-elbow`, `${side}-forearm`, `${side}-arm`, [0.1, y, z - 0.05], { limits: { lower: -2, upper: 0.1 } }),
    hinge(`${side}-knee`, `${side}-shin`, `${side}-thigh`, [0.1, 0.45 * y, z - 0.72], { limits: { lower: -0.1, upper: 2 } }),
  ])
  const stairs = times(5, k => fixed(`stair-${k}`, box(0.4, 2, 0.2 * (5 - k)), [0.4 * k, 0, 0.1 * (5 - k)]))
  const trunk = [body('torso', box(0.2, 0.35, 0.5), [0.1, 0, z], 'rubber'), body('head', sphere(0.12), [0.1, 0, z + 0.4], 'rubber')]
  return { bodies: [ground(), ...stairs, ...trunk, ...limbs], joints: [...joints, ball('neck', 'head', 'torso', [0.1, 0, z + 0.26])], duration: 3 }
}

function pendulumAndBoxes(): Everyday {
  const boxes = times(6, k => body(`box-${k}`, box(0.3, 0.3, 0.15), [0.35, 0, 0.075 + 0.15 * k]))
  return {
    bodies: [ground(), fixed('hook', box(0.1, 0.1, 0.1), [0, 0, 2], 'steel'), body('bob', sphere(0.15), [-1.2, 0, 1], 'steel'), ...boxes],
    joints: [ball('rope', 'bob', 'hook', [0, 0, 2])], duration: 3,
  }
}

function heap(): Everyday {
  const walls = [[0.55, 0], [-0.55, 0], [0, 0.55], [0, -0.55]].map(([x, y], k) => fixed(`wall-${k}`, x === 0 ? box(1.05, 0.05, 0.6) : box(0.05, 1.1, 0.6), [x!, y!, 0.3], 'wood'))
  const shapes = [box(0.15, 0.12, 0.1), sphere(0.07), cylinder(0.06, 0.14), capsule(0.05, 0.1), { type: 'cone', radius: 0.07, height: 0.15 }]
  const mixed = times(40, k => body(`piece-${k}`, shapes[k % 5]!, [0.35 * scattered(k), 0.35 * scattered(2 * k), 0.3 + 0.2 * k], ['wood', 'steel', 'rubber'][k % 3], {
    orientation: about([scattered(5 * k), scattered(7 * k), 1], 3 * scattered(11 * k)),
  }))
  return { bodies: [ground(), ...walls, ...mixed], duration: 4 }
}

function gate(): Everyday {
  return {
    bodies: [
      ground(), body('left', box(0.3, 0.3, 1), [-0.6, 0, 0.5], 'stone'), body('right', box(0.3, 0.3, 1), [0.6, 0, 0.5], 'stone'),
      body('lintel', box(1.7, 0.3, 0.2), [0, 0, 1.1], 'stone'), body('top', box(0.2, 0.2, 0.2), [0, 0, 1.3], 'stone'),
      body('shot', sphere(0.2), [-4, 0, 0.9], 'steel', { linearVelocity: [6, 0, 1.5] }),
    ],
    duration: 3,
  }
}

function race(): Everyday {
  const slope = about([0, 1, 0], 0.4)
  const shapes = [box(0.2, 0.2, 0.2), sphere(0.1), cylinder(0.1, 0.2), capsule(0.1, 0.2)]
  const racers = times(8, k => body(`racer-${k}`, shapes[k % 4]!, [-2.2, -1.2 + 0.35 * k, 1.27], ['wood', 'ice', 'rubber', 'steel'][k % 4], k % 4 === 0 ? { orientation: slope } : lying))
  return { bodies: [ground(), fixed('ramp', box(6, 3, 0.2), [0, 0, 0], 'stone', { orientation: slope }), ...racers], duration: 3 }
}

function blocks(): Everyday {
  const tower = times(24, k => {
    const [layer, place] = [Math.floor(k / 3), k % 3 - 1]
    const along = layer % 2 === 0
    return body(`block-${k}`, along ? box(0.075, 0.025, 0.015) : box(0.025, 0.075, 0.015), [along ? 0 : 0.0252 * place, along ? 0.0252 * place : 0, 0.0075 + 0.015 * layer], 'wood',
      k === 13 ? { linearVelocity: [0, 0.5, 0] } : {})
  })
  return { bodies: [ground(), ...tower], duration: 2 }
}

function wave(): Everyday {
  const bobs = times(12, k => body(`bob-${k}`, sphere(0.05), [-0.9 + 0.15 * k, -0.3, 1.5 - 0.05 * k], 'steel'))
  return {
    bodies: [fixed('bar', box(2, 0.1, 0.1), [0, 0, 2], 'steel'), ...bobs],
    joints: times(12, k => ball(`string-${k}`, `bob-${k}`, 'bar', [-0.9 + 0.15 * k, 0, 2])), duration: 5,
  }
}

const EVERYDAY: Readonly<Record<string, () => Everyday>> = {
  'tower of twenty cubes': () => ({
    bodies: [ground(), ...times(20, k => body(`cube-${k}`, box(0.2, 0.2, 0.2), [0.01 * scattered(k), 0.01 * scattered(3 * k), 0.1 + 0.2 * k]))], duration: 4,
  }),
  'bowling': bowling,
  'billiards': billiards,
  'domino spiral': spiral,
  'crank and piston': crank,
  'chain with a weight': chain,
  'car on bumps': car,
  'catapult': catapult,
  'funnel of balls': funnel,
  'wrecking ball, 48 bricks': () => wreckingBall(6),
  'wrecking ball, 88 bricks': () => wreckingBall(11),
  'dice': dice,
  'coin': () => ({
    bodies: [ground('steel'), body('coin', cylinder(0.012, 0.002), [0, 0, 0.0122], 'steel', { orientation: about([1, 0, 0], QUARTER - 0.05), angularVelocity: [0, 0, 40] })], duration: 4,
  }),
  'table with a vase': table,
  'seesaw': seesaw,
  'ragdoll on stairs': ragdoll,
  'pendulum and boxes': pendulumAndBoxes,
  'conveyor': () => ({
    bodies: [
      ground(), body('belt', box(20, 1, 0.1), [0, 0, 0.5], 'rubber', { type: 'kinematic', linearVelocity: [1, 0, 0] }),
      ...times(9, k => body(`crate-${k}`, box(0.3, 0.3, 0.3), [-8 + 0.5 * k, 0, 0.7001 + 0.35 * (k % 3)])),
    ],
    duration: 3,
  }),
  'mixed heap': heap,
  'gate and cannon ball': gate,
  'race on a slope': race,
  'building blocks': blocks,
  'pendulum wave': wave,
}

/** By name. */
export function everydayScenes(): Map<string, object> {
  return new Map(Object.entries(EVERYDAY).map(([name, make]) => {
    const { bodies, joints = [], duration } = make()
    return [name, { format: 'cairn-scene', version: 1, name, materials, bodies, joints, simulation: { duration } }]
  }))
}
