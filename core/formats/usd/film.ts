/**
 * A run as usda with time samples: the prim of every body is animated by its recorded poses, and the points of every deformable by its shapes. It
 * contains no physics.
 */

import type { ResolvedScene } from '../../scene'
import type { ExportResult } from '../format'
import type { TrajectoryFrame } from '../motion'
import { deformablePrims } from './film-deformables'
import { keysOf } from '../shared/keys'
import { Losses } from '../shared/losses'
import { quaternion } from './write-shapes'
import { number, tuple, writeUsda, type Usda, type UsdaPrim, type UsdaProperty } from './usda-write'
import { LOOKS, worldOf } from './write'

export function filmUsd(scene: ResolvedScene, frames: readonly TrajectoryFrame[], name: string): ExportResult {
  const { metadata, world, bodyNames, deformableNames, pictures, losses } = worldOf(scene, name)
  const start = frames[0]?.time ?? 0
  const rate = rateOf(frames)
  const codes = frames.map(({ time }) => onGrid((time - start) * rate))
  const places = new Map(bodyNames.map((prim, i) => [prim, i]))
  const bodies = (world.children ?? []).flatMap(child => {
    const place = places.get(child.name)
    return place === undefined || child.type !== 'Xform' ? [] : [bodyFilm(child, scene, frames, codes, place)]
  })
  const looks = (world.children ?? []).filter(child => child.type === 'Scope' && child.name === LOOKS)
  const timing = [`startTimeCode = ${number(codes[0] ?? 0)}`, `endTimeCode = ${number(codes[codes.length - 1] ?? 0)}`, `timeCodesPerSecond = ${number(rate)}`, `framesPerSecond = ${number(rate)}`]
  const deformableLosses = new Losses()
  deformableLosses.addAll(losses.filter(({ path }) => /^bodies\[\d+\]\.shapes/.test(path)))
  const soft = deformablePrims(scene, frames, codes, deformableNames, deformableLosses)
  return { files: [{ name: `${name}.usda`, content: writeUsda([...metadata, ...timing], [{ ...world, children: [...looks, ...bodies, ...soft] }]) }, ...pictures], losses: deformableLosses.list }
}

function bodyFilm(body: UsdaPrim, scene: ResolvedScene, frames: readonly TrajectoryFrame[], codes: readonly number[], place: number): UsdaPrim {
  const { poses, moves, appears } = keysOf(frames, place, scene.bodies[place]!)
  const sampled = (declaration: string, values: readonly Usda[]): UsdaProperty => moves
    ? { declaration, value: undefined, samples: values.map((value, f) => [codes[f]!, value] as const) }
    : { declaration, value: values[0]! }
  const shown: UsdaProperty[] = appears === 0 ? [] : [{
    declaration: 'token visibility', value: undefined,
    samples: [[codes[0] ?? 0, 'invisible'], ...appears < codes.length ? [[codes[appears]!, 'inherited'] as const] : []],
  }]
  return {
    type: 'Xform', name: body.name, ...body.metadata === undefined ? {} : { metadata: body.metadata.filter(line => !line.includes('apiSchemas')) },
    properties: [
      sampled('double3 xformOp:translate', poses.map(({ position }) => tuple(...position))), sampled('quatd xformOp:orient', poses.map(({ orientation }) => quaternion(orientation))),
      { declaration: 'uniform token[] xformOpOrder', value: ['xformOp:translate', 'xformOp:orient'] }, ...shown,
    ],
    children: (body.children ?? []).filter(isShown).map(seen),
  }
}

function isShown({ properties }: UsdaPrim): boolean {
  return !properties.some(({ declaration }) => declaration === 'uniform token purpose')
}

/** Geometry without its collision schemas. */
function seen(prim: UsdaPrim): UsdaPrim {
  return {
    ...prim, metadata: prim.metadata?.filter(line => !line.includes('Physics')) ?? [],
    properties: prim.properties.filter(({ declaration }) => !declaration.includes('physics')),
  }
}

/** Frames a second; 1 for a single frame. */
function rateOf(frames: readonly TrajectoryFrame[]): number {
  const [first, last] = [frames[0], frames[frames.length - 1]]
  return first === undefined || last === undefined || last.time === first.time ? 1 : onGrid((frames.length - 1) / (last.time - first.time))
}

/** Rounds to a whole number if the difference is a rounding error. */
function onGrid(value: number): number {
  const whole = Math.round(value)
  return Math.abs(value - whole) <= 1e-9 * Math.max(1, Math.abs(value)) ? whole : value
}
