import { utf8Length } from '../../math/hash'
import type { Path } from '../path'
import { limits } from '../schema/scene'
import type { Force, ForceOf, Script } from '../types'
import { elementById } from '../ids'
import { requireReference, type RuleContext } from './context'
import { verticesOfDeformable } from './vertex-count'

export function checkForce(context: RuleContext, force: Force, path: Path): void {
  const { list } = context
  const id = force.id
  switch (force.type) {
    case 'uniform':
    case 'drag':
    case 'wind':
    case 'attractor':
      force.bodies?.forEach((body, i) => requireReference(context, 'bodies', body, [...path, 'bodies', i], id))
      force.deformables?.forEach((deformable, i) => requireReference(context, 'deformables', deformable, [...path, 'deformables', i], id))
      if (force.deformables && new Set(force.deformables).size < force.deformables.length) {
        list.report('InvalidValue', [...path, 'deformables'], 'A deformable is listed twice',
          { value: force.deformables, allowed: 'each deformable once', ids: [id] })
      }
      if (force.bodies && new Set(force.bodies).size < force.bodies.length) {
        list.report('InvalidValue', [...path, 'bodies'], 'A body is listed twice', { value: force.bodies, allowed: 'each body once', ids: [id] })
      }
      break
    case 'pair':
    case 'lennard-jones':
      checkInteraction(context, force, path)
      break
    case 'point':
    case 'torque':
    case 'keyframed':
      requireReference(context, 'bodies', force.body, [...path, 'body'], id)
      break
    case 'spring':
      requireReference(context, 'bodies', force.bodyA, [...path, 'bodyA'], id)
      requireReference(context, 'bodies', force.bodyB, [...path, 'bodyB'], id)
      if (force.bodyA === force.bodyB) {
        list.report('InvalidValue', [...path, 'bodyB'], 'A spring acts between two different bodies, or a body and the world', {
          value: force.bodyB, allowed: 'another body, or null for the world', ids: [id],
        })
      }
      break
    case 'guide':
      force.keys.forEach((key, i) => checkGuideKey(context, key, [...path, 'keys', i], id))
      checkOrder(context, force, [...path, 'keys'])
      break
    case 'script':
      requireReference(context, 'scripts', force.script, [...path, 'script'], id)
      break
  }
  if (force.type === 'attractor') requireReference(context, 'bodies', force.body ?? null, [...path, 'body'], id)
  if (force.type === 'keyframed') checkKeys(context, force, [...path, 'keys'])
  if (force.type === 'wind' && force.box && [0, 1, 2].some(k => !(force.box!.min[k]! < force.box!.max[k]!))) {
    list.report('InvalidBox', [...path, 'box'], 'The lower corner of the box must lie below the upper one on every axis', {
      value: [...force.box.min, ...force.box.max], allowed: 'min < max', ids: [id],
    })
  }
}

/** × the diameter: particles that start nearer have forces beyond the range of solvers, because they grow with the 13th power. */
const NEAREST = 0.1

function checkInteraction(context: RuleContext, force: ForceOf<'pair' | 'lennard-jones'>, path: Path): void {
  const { list } = context
  const { id, deformables, cutOff, within = true } = force
  deformables?.forEach((deformable, i) => requireReference(context, 'deformables', deformable, [...path, 'deformables', i], id))
  if (deformables && new Set(deformables).size < deformables.length) {
    list.report('InvalidValue', [...path, 'deformables'], 'A deformable is listed twice', { value: deformables, allowed: 'each deformable once', ids: [id] })
  }
  if (deformables?.length === 1 && !within) {
    list.report('InvalidValue', [...path, 'deformables'], 'The interaction has no two particles to act between',
      { value: deformables, allowed: 'at least two deformables, or an interaction within one', ids: [id] })
  }
  if (force.type === 'lennard-jones' && !(cutOff > NEAREST * force.diameter)) {
    list.report('InvalidValue', [...path, 'cutOff'], 'The cut-off is so short that the interaction only has extreme forces',
      { value: cutOff, allowed: `more than ${NEAREST} × the diameter`, ids: [id] })
  }
}

function checkGuideKey(context: RuleContext, { body, deformable, particle, on, length }: ForceOf<'guide'>['keys'][number], path: Path, owner: string): void {
  const { list } = context
  requireReference(context, 'bodies', body, [...path, 'body'], owner)
  requireReference(context, 'bodies', on ?? null, [...path, 'on'], owner)
  if (on !== undefined && on === body) {
    list.report('InvalidKeys', [...path, 'on'], 'A body is not pulled to a point of itself', { value: on, allowed: 'another body, or nothing', ids: [owner] })
  }
  if (deformable === undefined) return
  requireReference(context, 'deformables', deformable, [...path, 'deformable'], owner)
  if (body !== null || on !== undefined || length !== undefined) {
    list.report('InvalidKeys', [...path, 'deformable'], 'A pulled particle replaces the body, and its target is a point of the world', {
      value: deformable, allowed: 'no deformable, or a body of null without "on" and "length"', ids: [owner],
    })
  }
  const found = elementById(context.scene, 'deformables', deformable)
  const count = found === null ? Infinity : verticesOfDeformable(found)
  if ((particle ?? 0) >= count) {
    list.report('InvalidKeys', [...path, 'particle'], `"${deformable}" has ${count} particles`, { value: particle, allowed: `an integer from 0 to ${count - 1}`, ids: [owner, deformable] })
  }
}

function checkOrder({ list }: RuleContext, { id, keys }: { readonly id: string; readonly keys: readonly { readonly time: number }[] }, path: Path): void {
  for (let i = 1; i < keys.length; i++) {
    const [before, time] = [keys[i - 1]!.time, keys[i]!.time]
    if (time < before) {
      list.report('InvalidKeys', [...path, i, 'time'], `Key times must not decrease; the previous one is ${before}`, { value: time, allowed: `a number ≥ ${before}`, ids: [id] })
    }
  }
}

function checkKeys(context: RuleContext, force: ForceOf<'keyframed'>, path: Path): void {
  const { list } = context
  const { id, keys } = force
  checkOrder(context, force, path)
  for (let i = 2; i < keys.length; i++) {
    const time = keys[i]!.time
    if (time === keys[i - 2]!.time) {
      list.report('InvalidKeys', [...path, i, 'time'], 'Of three keys at one time the middle one has no effect; a jump has two', {
        value: time, allowed: `a number > ${time}`, ids: [id],
      })
    }
  }
}

export function checkScript({ list }: RuleContext, script: Script, path: Path): void {
  if (script.source.length * 3 <= limits.scriptBytes) return
  const bytes = utf8Length(script.source)
  if (bytes <= limits.scriptBytes) return
  list.report('TooLarge', [...path, 'source'], `Script "${script.id}" has ${bytes} bytes`, {
    value: bytes, allowed: `at most ${limits.scriptBytes} bytes`, ids: [script.id],
  })
}
