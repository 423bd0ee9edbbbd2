/** Shapes as collision and visual geometry; shapes without a URDF element become mesh files. */

import { composePoses, type Pose } from '../../math/pose'
import { normalize, scale, type Vec3 } from '../../math/vector'
import type { ResolvedBody, ResolvedShape, ResolvedVisual } from '../../scene'
import type { FormatFile, FormatOption, OptionValues } from '../format'
import { hullMeshes, hullPointsOf, writeObj } from '../shared/hull-points'
import type { Losses } from '../shared/losses'
import { srgbOf } from '../shared/colors'
import { fromZTo, toRollPitchYaw } from '../shared/rotations'
import type { VisualFiles } from '../shared/visual-files'
import { shapeOfVisual } from '../shared/visuals'
import { element, type XmlElement } from '../shared/write-xml'

export const exportOptions: readonly FormatOption[] = [
  {
    id: 'capsules', label: 'Capsules', kind: 'choice', default: 'parts',
    choices: [{ id: 'parts', label: 'As a cylinder and two spheres, which every program reads' }, { id: 'element', label: 'As <capsule>, which some programs read' }],
  },
  { id: 'meshPath', label: 'Folder of meshes', kind: 'text', default: 'meshes', help: 'Relative to the file, or package://name/folder.' },
]

/** m: edge length and thickness of the slab that represents a half-space. */
const GROUND = 200
const THICKNESS = 10

export function originElement({ position, orientation }: Pose): XmlElement {
  return element('origin', { xyz: position, rpy: toRollPitchYaw(orientation) })
}

interface Part { readonly geometry: XmlElement; readonly pose: Pose }

export function collisionsOf(
  body: ResolvedBody, inLink: Pose, path: string, losses: Losses, options: OptionValues, context: VisualFiles,
): { collisions: XmlElement[]; files: FormatFile[] } {
  const files: FormatFile[] = []
  const visuals = body.visuals ?? []
  const collisions = body.shapes.flatMap((shape, k) => {
    const pose = composePoses(inLink, { position: shape.position, orientation: shape.orientation })
    const parts = partsOf(shape, pose, `${body.id}-${k}`, `${path}.shapes[${k}]`, losses, options, files)
    return parts.flatMap(part => [
      ...visuals.length > 0 ? [] : [element('visual', {}, [originElement(part.pose), element('geometry', {}, [part.geometry]), element('material', { name: shape.material })])],
      element('collision', {}, [originElement(part.pose), element('geometry', {}, [part.geometry])]),
    ])
  })
  if (visuals.length > 0 && body.shapes.length > 0) losses.add('materials[].color', 'URDF gives collision geometry no colour of its own', 'that of the first visual')
  const seen = visuals.flatMap((visual, k) => visualElements(visual, inLink, `${path}.visuals[${k}]`, losses, options, context))
  return { collisions: [...seen, ...collisions], files }
}

function visualElements(
  visual: ResolvedVisual, inLink: Pose, path: string, losses: Losses, options: OptionValues, files: VisualFiles,
): XmlElement[] {
  const shape = shapeOfVisual(visual, files.meshes)
  const pose = composePoses(inLink, shape)
  const color = element('color', { rgba: [...srgbOf(visual.color), 1] })
  const plain = element('material', { name: `color_${visual.color.slice(1)}` }, [color])
  const write = (parts: readonly Part[], material: XmlElement | null) =>
    parts.map(part => element('visual', {}, [originElement(part.pose), element('geometry', {}, [part.geometry]), material]))
  if (shape.type !== 'mesh' && shape.type !== 'cone' && shape.type !== 'ellipsoid') return write(partsOf(shape, pose, '', path, losses, options, []), plain)
  if (visual.type !== 'mesh') losses.add(path, `URDF has no ${shape.type}`, 'a mesh that looks like it')
  const { mesh, picture, colored } = files.add(visual, path.replaceAll(/[^0-9]+/g, '-').replace(/^-/, `${shape.type}-`))
  const uri = (file: string) => meshFile(options, `${VISUALS}/${file}`).uri
  const pictured = picture === null ? plain : element('material', { name: `${picture}_${visual.color.slice(1)}` }, [color, element('texture', { filename: uri(picture) })])
  // A material would hide the colours of vertices.
  return write([{ geometry: element('mesh', { filename: uri(mesh) }), pose }], colored && picture === null ? null : pictured)
}

/** Folder of visual meshes, in that of all meshes. */
const VISUALS = 'visual'

/** The folder of visual meshes relative to the main file. */
export function visualFolder(options: OptionValues): string {
  return meshFile(options, VISUALS).name
}

/** Name of a mesh file, and its URI in the main file. */
function meshFile(options: OptionValues, file: string): { readonly name: string; readonly uri: string } {
  const folder = String(options.meshPath).replace(/\/+$/, '')
  const local = folder.replace(/^package:\/\//, '')
  return { name: local === '' ? file : `${local}/${file}`, uri: folder === '' ? file : `${folder}/${file}` }
}

function partsOf(shape: ResolvedShape, pose: Pose, stem: string, path: string, losses: Losses, options: OptionValues, files: FormatFile[]): Part[] {
  const at = (geometry: XmlElement, position: Vec3 = [0, 0, 0]): Part => ({ geometry, pose: composePoses(pose, { position, orientation: [0, 0, 0, 1] }) })
  switch (shape.type) {
    case 'box':
      return [at(element('box', { size: shape.size }))]
    case 'sphere':
      return [at(element('sphere', { radius: shape.radius }))]
    case 'cylinder':
      return [at(element('cylinder', { radius: shape.radius, length: shape.height }))]
    case 'capsule':
      if (options.capsules === 'element') return [at(element('capsule', { radius: shape.radius, length: shape.height }))]
      losses.add(path, 'URDF has no capsule', 'a cylinder and two spheres, which are the same solid')
      return [
        at(element('cylinder', { radius: shape.radius, length: shape.height })),
        at(element('sphere', { radius: shape.radius }), [0, 0, shape.height / 2]), at(element('sphere', { radius: shape.radius }), [0, 0, -shape.height / 2]),
      ]
    case 'halfSpace': {
      losses.add(path, 'URDF has no half-space', `a box of ${GROUND} × ${GROUND} × ${THICKNESS} m`)
      const normal = normalize(shape.normal)
      const slab: Pose = { position: scale(normal, shape.offset - THICKNESS / 2), orientation: fromZTo(normal) }
      return [{ geometry: element('box', { size: [GROUND, GROUND, THICKNESS] }), pose: composePoses(pose, slab) }]
    }
    default: {
      const { pieces, approximation } = hullPointsOf(shape)!
      if (shape.type === 'mesh') losses.add(path, 'Programs that read URDF use the convex hull of a mesh', `its ${pieces.length} convex pieces`)
      if (approximation !== null) losses.add(path, `URDF has no ${shape.type}`, `a mesh: the convex hull of ${approximation}`)
      return hullMeshes(shape, pieces).map((mesh, i) => {
        const { name, uri } = meshFile(options, `${stem}${pieces.length === 1 ? '' : `-${i}`}.obj`)
        files.push({ name, content: writeObj(mesh) })
        return at(element('mesh', { filename: uri }))
      })
    }
  }
}
