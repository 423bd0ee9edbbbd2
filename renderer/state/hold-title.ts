import type { Hold } from '../../core/analysis/deformable-state'
import type { OtherPlace, Scene } from '../../core/scene'
import { bodiesOf, titleOf } from './scene-access'

/** Describes the constraint on a deformable: "pin at 0", "seam 3–7", "10 on Ring", "constraint of 4 and Rope 0". */
export function holdTitle(hold: Hold | undefined, scene: Scene): string {
  if (hold === undefined) return 'what held it'
  const vertices = hold.vertices.join('–')
  if (hold.kind === 'pin') return `pin at ${vertices}`
  if (hold.kind === 'seam') return `seam ${vertices}`
  if (hold.kind === 'constraint') {
    const others = (hold.others ?? []).map(other => placeTitle(other, scene))
    return `constraint of ${[...vertices === '' ? [] : [vertices], ...others].join(' and ')}`
  }
  if (hold.kind === 'controlled') return `controlled ${vertices}`
  return `${hold.kind === 'root' ? 'root ' : ''}${vertices} on ${bodyTitle(hold.body, scene)}`
}

function bodyTitle(body: string | null, scene: Scene): string {
  return body === null ? 'the world' : titleOf(bodiesOf(scene).find(({ id }) => id === body) ?? { id: body })
}

function placeTitle(place: OtherPlace, scene: Scene): string {
  if (place.type === 'bodyPoint') return bodyTitle(place.body, scene)
  const { deformable, vertex } = place
  return `${titleOf(scene.deformables?.find(({ id }) => id === deformable) ?? { id: deformable })} ${vertex}`
}
