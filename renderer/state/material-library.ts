/** Predefined materials: densities from handbooks; friction against the same material, from the friction table if it has an entry. */

import type { Material } from '../../core/scene'
import { coefficientsOf, FRICTION_TABLE } from './friction-table'

interface LibraryEntry {
  readonly name: string
  /** kg/m³ */
  readonly density: number
  readonly restitution: number
  readonly color: string
  /** Against the same material, if the table has no entry. */
  readonly friction?: { readonly static: number; readonly dynamic: number }
}

const ENTRIES: readonly LibraryEntry[] = [
  { name: 'Steel', density: 7850, restitution: 0.6, color: '#8c99a8' },
  { name: 'Aluminium', density: 2700, restitution: 0.5, color: '#b9c2cb' },
  { name: 'Brass', density: 8500, restitution: 0.5, color: '#c8a951', friction: { static: 0.43, dynamic: 0.43 } },
  { name: 'Cast iron', density: 7200, restitution: 0.4, color: '#5c6066', friction: { static: 1.05, dynamic: 0.29 } },
  { name: 'Copper', density: 8960, restitution: 0.4, color: '#b87350', friction: { static: 0.53, dynamic: 0.36 } },
  { name: 'Zinc', density: 7140, restitution: 0.4, color: '#9fb0b8', friction: { static: 0.85, dynamic: 0.21 } },
  { name: 'Gold', density: 19300, restitution: 0.3, color: '#e2b93b' },
  { name: 'Silver', density: 10490, restitution: 0.3, color: '#c6cbd1' },
  { name: 'Platinum', density: 21450, restitution: 0.3, color: '#a7b1b5' },
  { name: 'Glass', density: 2500, restitution: 0.7, color: '#8ec7cf' },
  { name: 'Wood', density: 700, restitution: 0.3, color: '#c39a6b' },
  { name: 'Concrete', density: 2400, restitution: 0.2, color: '#9a9a92', friction: { static: 0.8, dynamic: 0.6 } },
  { name: 'Rubber', density: 1100, restitution: 0.8, color: '#3d4248', friction: { static: 1, dynamic: 0.72 } },
  { name: 'Ice', density: 917, restitution: 0.2, color: '#bfe3f2' },
  { name: 'PTFE', density: 2200, restitution: 0.3, color: '#eef0ea' },
  { name: 'Polyethene', density: 950, restitution: 0.4, color: '#7fae8a', friction: { static: 0.2, dynamic: 0.2 } },
]

export const MATERIAL_LIBRARY: readonly Material[] = ENTRIES.map(({ name, density, restitution, color, friction }) => {
  const own = FRICTION_TABLE.find(one => one.materials[0] === name && one.materials[1] === name)
  const coefficients = friction ?? (own && coefficientsOf(own)) ?? { static: 0.5, dynamic: 0.4 }
  return { id: name.toLowerCase().replace(/[^a-z0-9]+/g, '-'), name, density, friction: { ...coefficients }, restitution, color }
})
