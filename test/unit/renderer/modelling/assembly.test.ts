import { describe, expect, it } from 'vitest'
import fc from 'fast-check'
import { applyAssembly, assemblyAt } from '../../../../renderer/modelling/assembly-edit'
import { toInner, toOuter } from '../../../../core/math/pose'
import type { Vec3 } from '../../../../core/math/vector'
import { editScene, parseScene, type Scene } from '../../../../core/scene'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const rod = (id: string, x: number) => ({ id, position: [x, 0, 0], shapes: [{ type: 'box', size: [1, 0.1, 0.1], material: 'm' }] })
function scene(bodies: object[], joints: object[]): Scene {
  const parsed = parseScene({ format: 'cairn-scene', version: 1, materials: [{ id: 'm', density: 1000 }], bodies, joints })
  if (!parsed.ok) throw new Error(parsed.problems[0]!.message)
  return parsed.scene
}
const hinge = (id: string, bodyA: string, bodyB: string | null, anchor: Vec3, rest: object = {}) => ({ id, type: 'hinge', bodyA, bodyB, anchor, axis: [0, 1, 0], ...rest })
const example = (name: string): Scene => {
  const parsed = parseScene(JSON.parse(readFileSync(join(import.meta.dirname, '../../../../scenes', name), 'utf8')) as object)
  if (!parsed.ok) throw new Error(name)
  return parsed.scene
}

/** Drags in small steps as a mouse does. @returns the document and the position of the dragged point */
function pulled(of: Scene, id: string, point: Vec3, targets: readonly Vec3[]) {
  const assembly = assemblyAt(of, id)!
  for (const target of targets) assembly.assembly.pull(assembly.body, point, target, assembly.size)
  const result = editScene(of, draft => applyAssembly(draft, of, assembly))
  if (!result.ok) throw new Error(result.problems[0]!.message)
  return { assembly: assembly.assembly, after: result.scene, at: toOuter(assembly.assembly.now[assembly.body]!, point) }
}
const pose = (of: Scene, id: string) => {
  const body = of.bodies!.find(one => one.id === id)!
  return { position: body.position ?? [0, 0, 0] as Vec3, orientation: body.orientation ?? [0, 0, 0, 1] as const }
}

describe('a mechanism that is pulled', () => {
  it('a rod on a hinge points to where it is dragged, and stays on its hinge', () => {
    const swing = scene([rod('rod', 0.5)], [hinge('pin', 'rod', null, [0, 0, 0])])
    fc.assert(fc.property(fc.double({ min: -3, max: 3, noNaN: true }), fc.double({ min: 0.3, max: 3, noNaN: true }), (angle, reach) => {
      const target: Vec3 = [reach * Math.cos(angle), 0.2, reach * Math.sin(angle)]
      const { at, assembly } = pulled(swing, 'rod', [0.5, 0, 0], Array.from({ length: 8 }, () => target))
      expect(assembly.error).toBeLessThan(1e-12)
      // The nearest point of a circle of 1 m.
      expect(Math.hypot(at[0] - Math.cos(angle), at[1], at[2] - Math.sin(angle))).toBeLessThan(1e-6)
    }))
  })

  it('two rods reach a target within their reach, and point to one beyond it', () => {
    const arm = scene([rod('upper', 0.5), rod('lower', 1.5)], [hinge('shoulder', 'upper', null, [0, 0, 0]), hinge('elbow', 'lower', 'upper', [1, 0, 0])])
    const near = pulled(arm, 'lower', [0.5, 0, 0], Array.from({ length: 12 }, (_, k): Vec3 => [2 - 0.1 * k, 0, 0.05 * k]))
    expect(Math.hypot(near.at[0] - 0.9, near.at[1], near.at[2] - 0.55)).toBeLessThan(1e-6)
    expect(near.assembly.error).toBeLessThan(1e-12)
    const far = pulled(near.after, 'lower', [0.5, 0, 0], Array.from({ length: 40 }, (): Vec3 => [3, 0, 3]))
    // The nearest reachable point is 3√2 − 2 away; stretched rods converge to it slowly.
    expect(Math.hypot(far.at[0] - 3, far.at[1], far.at[2] - 3) - (3 * Math.SQRT2 - 2)).toBeLessThan(1e-3)
    expect(far.assembly.error).toBeLessThan(1e-12)
  })

  it('stops at limits, and its angles are measured from the new pose', () => {
    const swing = scene([rod('rod', 0.5)], [hinge('pin', 'rod', null, [0, 0, 0], { limits: { lower: -0.3, upper: 0.5 }, spring: { stiffness: 5, rest: 0.1 }, servo: { target: 0.2, stiffness: 1, damping: 1 } })])
    // About +y the rod turns downwards.
    const { at, after } = pulled(swing, 'rod', [0.5, 0, 0], Array.from({ length: 20 }, (_, k): Vec3 => [Math.cos(0.1 * k), 0, -Math.sin(0.1 * k)]))
    expect(at[2]).toBeCloseTo(-Math.sin(0.5), 9)
    const pin = after.joints![0] as { limits: { lower: number; upper: number }; spring: { rest: number }; servo: { target: number } }
    expect(pin.limits.lower).toBeCloseTo(-0.8, 9)
    expect(pin.limits.upper).toBeCloseTo(0, 9)
    expect(pin.spring.rest).toBeCloseTo(-0.4, 9)
    expect(pin.servo.target).toBeCloseTo(-0.3, 9)
  })

  it('keeps every anchor fixed in its bodies: linkages, gears, chains', () => {
    for (const [name, body] of [['four-bar.cairn.json', 'crank'], ['verification/bricard.cairn.json', null], ['verification/slider-crank.cairn.json', null], ['verification/planetary-gear.cairn.json', null], ['verification/andrews-squeezer.cairn.json', null]] as const) {
      const before = example(name)
      const id = body ?? before.joints!.flatMap(joint => joint.type === 'gear' ? [] : [joint.bodyA, joint.bodyB]).find(one => one !== null && before.bodies!.find(of => of.id === one)!.type !== 'fixed')!
      const from = pose(before, id)
      const start = toOuter(from, [0.05, 0.02, 0.03])
      const { after, assembly } = pulled(before, id, [0.05, 0.02, 0.03], Array.from({ length: 10 }, (_, k): Vec3 => [start[0] + 0.01 * k, start[1], start[2] + 0.008 * k]))
      expect([name, assembly.error < 1e-11]).toEqual([name, true])
      after.joints!.forEach((joint, k) => {
        const old = before.joints![k]!
        if (joint.type === 'gear' || old.type === 'gear' || joint.type === 'slider' || joint.type === 'pointOnCurve') return
        for (const side of [joint.bodyA, joint.type === 'distance' ? null : joint.bodyB]) {
          if (side === null) continue
          const [then, now] = [toInner(pose(before, side), old.anchor as Vec3), toInner(pose(after, side), joint.anchor as Vec3)]
          expect(Math.hypot(...then.map((x, i) => x - now[i]!))).toBeLessThan(1e-9)
        }
      })
    }
  })
})
