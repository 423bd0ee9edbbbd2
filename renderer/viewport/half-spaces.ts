/** The half-spaces of a scene as large round planes, and the ground grid of scenes without half-spaces. */

import type { Scene } from '@babylonjs/core/scene'
import { add, addScaled, dot, scale, sub, type Vec3 } from '../../core/math/vector'
import { rotate } from '../../core/math/quaternion'
import { toOuter } from '../../core/math/pose'
import { gridSpacing } from './camera/grid-spacing'
import { halfHeightAt } from './camera/camera-state'
import type { Projection, Sphere } from './camera/projection'
import { PlaneDisc } from './layers/ground'
import type { Lights } from './layers/shadows'
import type { SharedUniforms } from './layers/uniforms'
import type { PosedScene } from './posed-scene'
import type { ViewportTheme } from './theme'

/** Radius of the drawn disc of a half-space, × radius of everything else. */
const REACH = 7
const INCLINE_REACH = 2.6

interface Plane {
  readonly body: number
  readonly point: Vec3
  readonly normal: Vec3
  readonly color: Vec3
}

export class Planes {
  private readonly grid: PlaneDisc
  private readonly discs: PlaneDisc[] = []
  private planes: readonly Plane[] = []
  private theme: ViewportTheme | null = null
  private stale = false
  private level = 0

  constructor(private readonly scene: Scene, private readonly uniforms: SharedUniforms, private readonly lights: Lights) {
    this.grid = new PlaneDisc(scene, uniforms, false, lights)
  }

  setTheme(theme: ViewportTheme): void {
    this.theme = theme
    this.paint()
  }

  /** z of the ground grid, m. */
  setGroundLevel(level: number): void {
    this.level = level
    this.paint()
  }

  setStale(stale: boolean): void {
    this.stale = stale
    for (const disc of this.discs) disc.setStale(stale)
  }

  setScene(posed: PosedScene, shown: Uint8Array): void {
    this.planes = posed.plan.planes.filter(plane => shown[plane.body]! > 0 && posed.exists(plane.body)).map(plane => {
      const pose = posed.pose(plane.body)
      return { body: plane.body, point: toOuter(pose, plane.point), normal: rotate(pose.orientation, plane.normal), color: plane.color }
    })
    while (this.discs.length < this.planes.length) this.discs.push(new PlaneDisc(this.scene, this.uniforms, true, this.lights))
    this.discs.forEach((disc, i) => { disc.visible = i < this.planes.length })
    this.setStale(this.stale)
    this.paint()
  }

  /** Highlight by body: 0 none, 1 hovered, 2 selected, 3 has a problem. */
  setHighlights(of: (body: number) => number): void {
    const { theme } = this
    if (!theme) return
    this.planes.forEach((plane, i) => {
      const kind = of(plane.body)
      const color = kind === 3 ? theme.danger : theme.accent
      this.discs[i]!.setHighlight(kind === 3 ? 0.04 : kind === 2 ? 0.035 : 0, color)
    })
  }

  private paint(): void {
    const { theme } = this
    if (!theme) return
    this.planes.forEach((plane, i) => {
      // The material's colour is blended towards the background, so that bodies on the plane stand out.
      const weight = theme.name === 'dark' ? 0.14 : 0.16
      const tone = add(scale(theme.background, 1 - weight), scale(plane.color, weight))
      this.discs[i]!.setFill(tone, 1, theme.name === 'dark' ? 1.12 : 1.03, theme.name === 'dark' ? 0.42 : 0.26)
    })
    this.grid.setFill([0, 0, 0], 0, 1)
    // The coloured grid lines are the world's axes, so they are drawn only at z = 0.
    if (this.level !== 0) this.grid.setAxes(null, null)
    else this.grid.setAxes([theme.palette[21]!, theme.palette[22]!, theme.palette[23]!], [theme.palette[24]!, theme.palette[25]!, theme.palette[26]!])
  }

  /** Places everything for a frame; returns the sphere that also contains the planes. */
  prepare(view: Projection, content: Sphere, showGrid: boolean): void {
    const { theme } = this
    if (!theme) return
    const spacing = gridSpacing(view.camera, view.height)
    const seen = Math.max(halfHeightAt(view.camera) * 4, content.radius)
    this.planes.forEach((plane, i) => {
      const disc = this.discs[i]!
      const plate = plane.normal[2] < 1 - 1e-9
      const radius = Math.max(content.radius, 1e-3) * (plate ? INCLINE_REACH : REACH)
      const center = addScaled(content.center, plane.normal, dot(sub(plane.point, content.center), plane.normal))
      disc.place({ center, normal: plane.normal, radius, plate, anchor: plane.point }, view.origin)
      disc.setLines(showGrid ? spacing : 0, theme.grid, theme.gridStrong)
    })
    // Half-spaces have their own grids; a second grid across them would confuse.
    this.grid.visible = showGrid && this.planes.length === 0
    const { target } = view.camera
    const center: Vec3 = [target[0], target[1], this.level]
    this.grid.place({ center, normal: [0, 0, 1], radius: seen * 2.2, plate: false, anchor: [0, 0, this.level] }, view.origin)
    this.grid.setLines(spacing, theme.grid, theme.gridStrong)
  }

  /** Radius about the content's centre up to which the planes are drawn. */
  reach(content: Sphere, view: { readonly distance: number }): number {
    return Math.max(this.planes.length > 0 ? Math.max(content.radius, 1e-3) * REACH * 1.2 : content.radius, view.distance * 2)
  }

  dispose(): void {
    this.grid.dispose()
    for (const disc of this.discs) disc.dispose()
  }
}
