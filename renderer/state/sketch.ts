/**
 * Drawing bodies in a plane: the tool, its points and dimensions, and the resulting bodies. In two dimensions it is the plane of motion. In
 * three, a polygon is drawn on the ground or a vertical plane and becomes a prism.
 */

import { computed, ref, shallowRef, watch } from 'vue'
import { defineStore } from 'pinia'
import {
  areaOf, bodiesAtPoint, turnedSolid, discOf, dropped, groundOf, ModellingError, prismOf, rectangleOf, rodOf, type DrawingPlane, type Point2,
} from '../../core/modelling'
import { flatSurfacesOf } from '../../core/analysis/solids'
import { ShapeError } from '../../core/geometry/shape'
import { composePoses, toOuter } from '../../core/math/pose'
import type { Vec3 } from '../../core/math/vector'
import { resolveShape, type Body } from '../../core/scene'
import { isPlanar } from '../modelling/plane'
import { useDocument } from './document'
import { materialForNewShape } from './editing'
import { newElement } from './free-names'
import { useLive } from './live'
import { newJoint } from '../joints'
import { usePlayback } from './playback'
import { bodiesOf, poseOf, shapesOf, titleOf } from './scene-access'
import { useSelection } from './selection'
import { useShell } from './shell'
import { standardViewOf } from '../viewport/camera/camera-state'
import { useView, type CameraState } from './view'
import { useViewportApi } from './viewport-api'

export type SketchTool = 'polygon' | 'rectangle' | 'disc' | 'rod' | 'ground' | 'hinge'

/** Per tool: its label, instructions, and the names of its two points if it has two. */
export const SKETCH_TOOLS: Readonly<Record<SketchTool, { readonly label: string; readonly hint: string; readonly points?: readonly [string, string] }>> = {
  polygon: { label: 'Polygon', hint: 'Click its points; the first one again, or Enter, closes it.' },
  rectangle: { label: 'Rectangle', hint: 'Drag from corner to corner.', points: ['First corner', 'Opposite corner'] },
  disc: { label: 'Disc', hint: 'Drag from the centre to the rim.', points: ['Centre', 'Point of the rim'] },
  rod: { label: 'Rod', hint: 'Drag from end to end.', points: ['First end', 'Other end'] },
  ground: { label: 'Ground line', hint: 'Drag along the surface; the ground lies below it.', points: ['First point', 'Second point'] },
  hinge: { label: 'Hinge', hint: 'Click where two bodies overlap; of one body alone, it is hinged to the world.' },
}

const STANDARD_VIEWS = { xy: 'top', xz: 'front', yz: 'right' } as const

export const useSketch = defineStore('sketch', () => {
  const document = useDocument()
  const selection = useSelection()
  const shell = useShell()
  const view = useView()
  const viewport = useViewportApi()
  const live = useLive()

  const tool = ref<SketchTool | null>(null)
  const plane = ref<DrawingPlane>('xz')
  /** m, along the two axes of the plane. */
  const points = shallowRef<readonly Point2[]>([])
  /** m: depth of a prism, thickness of a rod. */
  const depth = ref(0.4)
  const thickness = ref(0.1)
  /**
   * Result of a polygon in three dimensions: a prism, or a solid of revolution about a vertical line at `axis` (m across the picture), with
   * flat sides.
   */
  const becomes = ref<'prism' | 'turned'>('prism')
  /** The camera before drawing; null while nothing is drawn, and in the plane, where the view stays. */
  let before: CameraState | null = null
  const axis = ref(0)
  const sides = ref(24)
  const planar = computed(() => isPlanar(document.scene))
  const turned = computed(() => tool.value === 'polygon' && !planar.value && becomes.value === 'turned')
  const names = computed(() => plane.value === 'xy' ? ['x', 'y'] as const : plane.value === 'xz' ? ['x', 'z'] as const : ['y', 'z'] as const)

  /** Corners and centres of the bodies, to which the pointer snaps. */
  const marks = computed<readonly Point2[]>(() => tool.value === null ? [] : bodiesOf(document.scene).flatMap(body => [
    ...shapesOf(body).some(({ type }) => type !== 'halfSpace') ? [dropped(plane.value, poseOf(body).position)] : [],
    ...shapesOf(body).flatMap(shape => cornersOf(body, shape).map(p => dropped(plane.value, p))),
  ]))

  function start(next: SketchTool) {
    usePlayback().returnToStart()
    if (tool.value === null) {
      before = planar.value ? null : view.camera
      plane.value = planar.value || becomes.value === 'turned' ? 'xz' : 'xy'
      selection.clear()
      face()
    }
    tool.value = next
    points.value = []
  }

  function stop() {
    tool.value = null
    points.value = []
    // Restores the view from before drawing, unless the user has turned it since.
    if (before && view.camera.orthographic && standardViewOf(view.camera) === STANDARD_VIEWS[plane.value]) viewport.api?.lookAs(before)
    before = null
  }

  /** Shows the plane face-on in orthographic projection. */
  function face() {
    viewport.api?.setStandardView(STANDARD_VIEWS[plane.value])
    viewport.api?.setOrthographic(true)
  }

  function lookAt(next: DrawingPlane) {
    plane.value = next
    points.value = []
    face()
  }

  /** A solid of revolution is drawn in a vertical plane. */
  function become(next: 'prism' | 'turned') {
    becomes.value = next
    if (next === 'turned' && plane.value === 'xy') lookAt('xz')
  }

  const addPoint = (point: Point2) => { points.value = [...points.value, point] }
  const setPoint = (index: number, point: Point2) => { points.value = points.value.map((old, i) => i === index ? point : old) }
  const removePoint = (index = points.value.length - 1) => { points.value = points.value.filter((_, i) => i !== index) }

  function shapeOf(material: string): Pick<Body, 'position' | 'orientation' | 'shapes' | 'type'> {
    const [a = [0, 0], b = [0, 0]] = points.value
    switch (tool.value) {
      case 'polygon': return turned.value ? turnedSolid(points.value, plane.value, axis.value, sides.value, material).body : prismOf(points.value, plane.value, [0, 0, 0], depth.value, material)
      case 'rectangle': return rectangleOf(a, b, depth.value, material)
      case 'disc': return discOf(a, b, depth.value, material)
      case 'rod': return rodOf(a, b, thickness.value, material)
      case 'ground': return groundOf(a, b, material)
      default: throw new ModellingError('outline', null, 'Nothing is drawn')
    }
  }

  /** Why the sketch is not a valid body yet; empty if it is. */
  const trouble = computed(() => {
    if (tool.value === null || tool.value === 'hinge' || points.value.length < (tool.value === 'polygon' ? 3 : 2)) return ''
    const made = attempt(() => shapeOf(''))
    return made instanceof ModellingError ? made.message : ''
  })

  /** Share of the volume that flat sides omit in a solid of revolution. */
  const missing = computed(() => {
    if (!turned.value || points.value.length < 3) return 0
    const made = attempt(() => turnedSolid(points.value, plane.value, axis.value, sides.value, ''))
    return made instanceof ModellingError ? 0 : made.missing
  })

  /** Makes the body; the tool remains active for the next one. If the sketch is invalid, reports it and returns false. */
  function finish(): boolean {
    const name = tool.value
    if (name === null || name === 'hinge') return false
    const made = attempt(() => shapeOf(''))
    if (made instanceof ModellingError) {
      shell.notify(made.message, { kind: 'error' })
      return false
    }
    const { id, name: title } = newElement(document.scene, name === 'ground' ? 'Ground' : SKETCH_TOOLS[name].label, name)
    const done = document.edit(`draw ${SKETCH_TOOLS[name].label.toLowerCase()}`, draft => {
      const material = materialForNewShape(draft)
      draft.bodies ??= []
      draft.bodies.push({ id, name: title, ...shapeOf(material) })
    })
    if (!done) return false
    points.value = []
    selection.select([id])
    if (name === 'polygon') stop()
    return true
  }

  /** Adds a hinge between the two bodies that overlap at this point, or between one and the world. */
  function hingeAt([x, z]: Point2) {
    const [a, b] = [...bodiesAtPoint(document.scene, [x, 0, z])].reverse()
    if (!a) return shell.notify('No body lies there: click where two bodies overlap')
    const made = newElement(document.scene, 'Hinge', 'hinge')
    const done = document.edit('draw hinge', draft => {
      draft.joints ??= []
      draft.joints.push({ ...newJoint('hinge', made.id, a.id, b?.id ?? null, [x, 0, z], [0, 1, 0]), name: made.name })
    })
    if (!done) return
    selection.select([made.id])
    shell.confirm(`${titleOf(a)} is hinged to ${b ? titleOf(b) : 'the world'}`)
  }

  const area = computed(() => areaOf(points.value))
  watch(() => [live.run, document.generation, planar.value] as const, ([, generation], [, last]) => {
    if (generation !== last) before = null
    if (tool.value !== null) stop()
  })

  return {
    tool, plane, points, depth, thickness, becomes, axis, sides, turned, missing, planar, names, marks, trouble, snapping: view.snapping, area,
    start, stop, lookAt, become, addPoint, setPoint, removePoint, finish, hingeAt,
  }
})

function attempt<T>(make: () => T): T | ModellingError {
  try {
    return make()
  } catch (error) {
    if (error instanceof ModellingError) return error
    throw error
  }
}

/** World points; empty for round shapes and shapes that cannot be built. */
function cornersOf(body: Body, shape: ReturnType<typeof shapesOf>[number]): Vec3[] {
  if (shape.type !== 'box' && shape.type !== 'convexHull' && shape.type !== 'polyhedron') return []
  const pose = composePoses(poseOf(body), poseOf(shape))
  try {
    return flatSurfacesOf(resolveShape(shape)).flatMap(({ vertices }) => vertices.map(p => toOuter(pose, p)))
  } catch (error) {
    if (error instanceof ShapeError) return []
    throw error
  }
}
