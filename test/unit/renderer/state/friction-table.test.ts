import { describe, expect, it } from 'vitest'
import { validateScene } from '../../../../core/scene'
import { coefficientsOf, FRICTION_TABLE } from '../../../../renderer/state/friction-table'
import { MATERIAL_LIBRARY } from '../../../../renderer/state/material-library'

const find = (a: string, b: string) => FRICTION_TABLE.find(one => one.materials[0] === a && one.materials[1] === b)!

describe('the table of measured friction', () => {
  it('gives the middle of a measured range', () => {
    expect(coefficientsOf(find('Steel', 'Steel'))).toEqual({ static: 0.77, dynamic: 0.52 })
    expect(coefficientsOf(find('Wood', 'Wood'))).toEqual({ static: 0.435, dynamic: 0.4 })
  })

  it('keeps dynamic at most static friction, and uses the known value if the other is missing', () => {
    expect(coefficientsOf(find('Aluminium', 'Aluminium'))).toEqual({ static: 1.2, dynamic: 1.2 })
    expect(coefficientsOf(find('Gold', 'Gold'))).toEqual({ static: 2.5, dynamic: 2.5 })
    for (const entry of FRICTION_TABLE) {
      for (const wet of [false, true]) {
        const found = coefficientsOf(entry, wet)
        if (found) expect(found.dynamic).toBeLessThanOrEqual(found.static)
      }
    }
  })

  it('gives no values for pairs that were not measured dry', () => {
    expect(coefficientsOf(find('Human synovial fluid', 'Human cartilage'))).toBeNull()
  })
})

describe('the material library', () => {
  it('is valid as a scene\'s materials', () => {
    expect(validateScene({ format: 'cairn-scene', version: 1, materials: [...MATERIAL_LIBRARY] })).toEqual([])
  })
})
