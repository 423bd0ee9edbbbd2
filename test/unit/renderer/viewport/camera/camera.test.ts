import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { add, cross, distance, dot, length, scale, sub, type Vec3 } from '../../../../../core/math/vector'
import {
  blendCameras, cameraAxes, eyeOf, firstLook, fly, framePoints, lookAround, lookingAs, orbit, pan, standardViewOf, STANDARD_VIEWS, toStandardView, zoom,
} from '../../../../../renderer/viewport/camera/camera-state'
import { gridSpacing, lengthLabel } from '../../../../../renderer/viewport/camera/grid-spacing'
import { meetPlane, metresPerPixel, nearestOnLine, project, rayThrough, toPixel } from '../../../../../renderer/viewport/camera/projection'
import { DEFAULT_CAMERA, type CameraState } from '../../../../../renderer/state/view'

const [WIDTH, HEIGHT] = [1440, 900]
const sphere = { center: [0, 0, 0] as Vec3, radius: 5 }
const seen = (camera: CameraState, origin: Vec3 = [0, 0, 0]) => project(camera, WIDTH, HEIGHT, sphere, origin)

const coordinate = fc.double({ min: -50, max: 50, noNaN: true })
const point = fc.tuple(coordinate, coordinate, coordinate)
const camera = fc.record({
  target: point, distance: fc.double({ min: 0.5, max: 100, noNaN: true }), azimuth: fc.double({ min: -3, max: 3, noNaN: true }),
  elevation: fc.double({ min: -1.5, max: 1.5, noNaN: true }), orthographic: fc.boolean(),
})

describe('camera', () => {
  it('has right-handed axes with a level horizon, whatever the angles', () => {
    fc.assert(fc.property(camera, state => {
      const { right, up, forward } = cameraAxes(state)
      expect(right[2]).toBe(0)
      expect(length(sub(cross(right, up), scale(forward, -1)))).toBeLessThan(1e-12)
      expect(distance(add(eyeOf(state), scale(forward, state.distance)), state.target)).toBeLessThan(1e-9)
    }))
  })

  it('sees x to the right and z up from the front, and x to the right and y up from the top', () => {
    const front = seen(toStandardView({ ...DEFAULT_CAMERA, target: [0, 0, 0] }, 'front'))
    const [cx, cy] = toPixel(front, [0, 0, 0])!
    expect([cx, cy]).toEqual([WIDTH / 2, HEIGHT / 2])
    expect(toPixel(front, [1, 0, 0])![0]).toBeGreaterThan(cx)
    expect(toPixel(front, [0, 0, 1])![1]).toBeLessThan(cy)
    const top = seen(toStandardView({ ...DEFAULT_CAMERA, target: [0, 0, 0] }, 'top'))
    expect(toPixel(top, [1, 0, 0])![0]).toBeGreaterThan(cx)
    expect(toPixel(top, [0, 1, 0])![1]).toBeLessThan(cy)
  })

  it('recognises every standard view, and no other view', () => {
    for (const view of STANDARD_VIEWS) expect(standardViewOf(toStandardView(DEFAULT_CAMERA, view))).toBe(view)
    expect(standardViewOf(DEFAULT_CAMERA)).toBeNull()
  })

  it('keeps the point under the pointer fixed while zooming', () => {
    fc.assert(fc.property(camera, fc.double({ min: 0, max: WIDTH, noNaN: true }), fc.double({ min: 0, max: HEIGHT, noNaN: true }), (state, x, y) => {
      const view = seen(state)
      const fixed = meetPlane(rayThrough(view, x, y), state.target, view.axes.forward)!
      const [px, py] = toPixel(seen(zoom(state, 0.6, fixed)), fixed)!
      expect(Math.hypot(px - x, py - y)).toBeLessThan(1e-6)
    }))
  })

  it('moves the target by as many pixels as the pointer while panning', () => {
    fc.assert(fc.property(camera, state => {
      const moved = pan(state, 37, -21, HEIGHT)
      const [x, y] = toPixel(seen(moved), state.target)!
      expect(Math.hypot(x - WIDTH / 2 - 37, y - HEIGHT / 2 + 21)).toBeLessThan(1e-6)
    }))
  })

  it('stops at the zenith, keeps the eye when looking around, and the view direction when flying', () => {
    expect(orbit(DEFAULT_CAMERA, 0, 100).elevation).toBe(Math.PI / 2)
    expect(distance(eyeOf(lookAround(DEFAULT_CAMERA, 0.3, -0.2)), eyeOf(DEFAULT_CAMERA))).toBeLessThan(1e-12)
    const flown = fly(DEFAULT_CAMERA, 1, 2, 3)
    expect(cameraAxes(flown)).toEqual(cameraAxes(DEFAULT_CAMERA))
    expect(distance(flown.target, DEFAULT_CAMERA.target)).toBeCloseTo(Math.sqrt(14), 12)
  })

  it('frames points so that all are in the picture, with one at its margin in orthographic projection', () => {
    fc.assert(fc.property(camera, fc.array(point, { minLength: 2, maxLength: 12 }), (state, points) => {
      const low = [0, 1, 2].map(k => Math.min(...points.map(p => p[k]!)))
      const middle = [0, 1, 2].map(k => (low[k]! + Math.max(...points.map(p => p[k]!))) / 2) as unknown as Vec3
      const view = seen(framePoints(state, middle, points, WIDTH / HEIGHT))
      const parts = points.map(p => {
        const [x, y] = toPixel(view, p)!
        return Math.max(Math.abs(2 * x / WIDTH - 1), Math.abs(2 * y / HEIGHT - 1))
      })
      expect(Math.max(...parts)).toBeLessThan(0.7200001)
      const wide = points.some(p => Math.abs(dot(sub(p, middle), view.axes.right)) > 0.01)
      if (state.orthographic && wide) expect(Math.max(...parts)).toBeCloseTo(0.72, 6)
    }))
  })

  it('glides the short way round', () => {
    const half = blendCameras({ ...DEFAULT_CAMERA, azimuth: 3 }, { ...DEFAULT_CAMERA, azimuth: -3 }, 0.5)
    expect(Math.abs(half.azimuth)).toBeCloseTo(Math.PI, 9)
  })
})

describe('projection', () => {
  it('casts a ray through the pixel at which a point is drawn, near and far from the world\'s origin', () => {
    fc.assert(fc.property(camera, point, (state, p) => {
      const view = seen(state, state.target)
      const pixel = toPixel(view, p)
      fc.pre(pixel !== null && dot(sub(p, view.eye), view.axes.forward) > view.near)
      const ray = rayThrough(view, pixel[0], pixel[1])
      const off = sub(p, ray.origin)
      const along = dot(off, ray.direction)
      expect(length(sub(off, scale(ray.direction, along)))).toBeLessThan(1e-9 * Math.max(1, length(off)))
    }))
  })

  it('does not see what lies behind the eye in perspective', () => {
    const view = seen({ ...DEFAULT_CAMERA, orthographic: false })
    expect(toPixel(view, add(view.eye, scale(view.axes.forward, -1)))).toBeNull()
  })

  it('measures the size of a pixel at a point', () => {
    const view = seen(DEFAULT_CAMERA)
    const size = metresPerPixel(view, DEFAULT_CAMERA.target)
    const [x] = toPixel(view, add(DEFAULT_CAMERA.target, scale(view.axes.right, size)))!
    expect(x - WIDTH / 2).toBeCloseTo(1, 9)
  })

  it('finds the nearest point of a line to a ray', () => {
    const s = nearestOnLine({ origin: [3, -10, 1], direction: [0, 1, 0] }, [0, 0, 0], [1, 0, 0])
    expect(s).toBeCloseTo(3, 12)
    expect(nearestOnLine({ origin: [0, 0, 1], direction: [1, 0, 0] }, [0, 0, 0], [1, 0, 0])).toBeNull()
  })
})

describe('a scene that is opened', () => {
  it('is seen from the front and above, or face-on in a plane, however the view was turned before', () => {
    fc.assert(fc.property(camera, state => {
      const [space, plane] = [firstLook(state, false), firstLook(state, true)]
      expect(space).toEqual(lookingAs(DEFAULT_CAMERA, state))
      expect(space).toMatchObject({ target: state.target, distance: state.distance, orthographic: false })
      expect(standardViewOf(plane)).toBe('front')
      expect(plane.orthographic).toBe(true)
    }))
  })
})

describe('grid', () => {
  it('has a power of ten between its lines, wide enough to be distinguished', () => {
    fc.assert(fc.property(camera, state => {
      const spacing = gridSpacing(state, HEIGHT)
      const pixels = spacing / metresPerPixel(seen(state), state.target)
      expect(pixels).toBeGreaterThan(8.999)
      expect(pixels).toBeLessThan(90.001)
      expect(Math.log10(spacing)).toBeCloseTo(Math.round(Math.log10(spacing)), 9)
    }))
  })

  it('is labelled in a suitable unit', () => {
    expect([1000, 10, 1, 0.1, 0.01, 0.001, 1e-5].map(lengthLabel)).toEqual(['1 km', '10 m', '1 m', '10 cm', '1 cm', '1 mm', '10 µm'])
  })
})
