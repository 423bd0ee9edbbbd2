import { describe, expect, it } from 'vitest'
import { DEFAULT_CAMERA } from '../../../../renderer/state/view'
import { cubeAxes, cubeFaces } from '../../../../renderer/viewport/axis-cube'
import { cameraAxes, toStandardView } from '../../../../renderer/viewport/camera/camera-state'

const from = (view: Parameters<typeof toStandardView>[1]) => cameraAxes(toStandardView(DEFAULT_CAMERA, view))

describe('axis cube', () => {
  it('shows one face upright in a standard view, and three from the corner', () => {
    for (const view of ['front', 'back', 'left', 'right', 'top', 'bottom'] as const) {
      const [face, ...others] = cubeFaces(from(view))
      expect(others).toEqual([])
      expect(face!.view).toBe(view)
      // Text runs to the right and downwards.
      const [a, b, c, d] = face!.transform.slice(7, -1).split(' ').map(Number)
      expect([a, b, c, d].map(x => Math.round(x!) + 0)).toEqual([1, 0, 0, 1])
    }
    expect(cubeFaces(from('isometric')).map(face => face.view).sort()).toEqual(['front', 'right', 'top'])
  })

  it('hides an axis only if its edge is behind the cube', () => {
    expect(cubeAxes(from('isometric')).map(axis => [axis.label, axis.hidden])).toEqual([['x', false], ['y', true], ['z', false]])
  })
})
