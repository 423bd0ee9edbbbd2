/** A chain of links, each through the next, held by contact only. */

import type { Vec3 } from '../../math/vector'
import type { Body } from '../../scene'
import { block, count, entry, metres, refuse } from './entry'

export const chain = entry({
  id: 'chain', label: 'Chain', planar: false, help: 'Interlocked links, held by contact only.',
  fields: {
    links: count('Links', 8, 2, 200), length: metres('Length of a link', 0.12), width: metres('Width of a link', 0.07), thickness: metres('Thickness', 0.02),
    held: { ...count('Topmost link', 1, 0, 1), choices: [{ value: 1, label: 'Fixed' }, { value: 0, label: 'Free' }] },
  },
  make: ({ links, length, width, thickness: t, held }, material) => {
    if (width < 3 * t) refuse(`Width of a link is ${width} m: allowed is three times the thickness and more, ${3 * t} m, so that the next link fits`)
    if (length < 4 * t) refuse(`Length of a link is ${length} m: allowed is four times the thickness and more, ${4 * t} m, so that two others fit in`)
    const pitch = length - 2 * t
    // A hanging chain is one link above the ground.
    const height = (links - 1) * pitch + (held === 1 ? 2 : 1) * length
    return {
      groups: [{ id: 'chain', name: 'Chain' }],
      bodies: Array.from({ length: links }, (_, k): Body => ({
        id: `link-${k + 1}`, name: `Link ${k + 1}`, group: 'chain', ...held === 1 && k === 0 ? { type: 'fixed' as const } : {},
        position: [0, 0, height - length / 2 - k * pitch], shapes: linkShapes(length, width, t, k % 2 === 1, material),
      })),
    }
  },
})

/** Two sides and two ends; every other link is rotated by a right angle. */
function linkShapes(length: number, width: number, t: number, turned: boolean, material: string) {
  const way = ([x, y, z]: Vec3): Vec3 => turned ? [y, x, z] : [x, y, z]
  const ends = [-1, 1].flatMap(side => [
    block(way([t, t, length]), way([side * (width - t) / 2, 0, 0]), material),
    block(way([width - 2 * t, t, t]), [0, 0, side * (length - t) / 2], material),
  ])
  return ends
}
