import type { Path } from '../path'
import type { Shape, ShapeOf } from '../types'
import { requireDirection, requireReference, type RuleContext } from './context'
import { checkInertia } from './inertia'

export function checkShape(context: RuleContext, shape: Shape, path: Path, owner: string): void {
  requireReference(context, 'materials', shape.material, [...path, 'material'], owner)
  switch (shape.type) {
    case 'polyhedron':
      checkFaces(context, shape.faces, shape.vertices.length, [...path, 'faces'], owner)
      break
    case 'mesh':
      checkMesh(context, shape, path, owner)
      break
    case 'superquadric':
      checkExponents(context, shape, [...path, 'exponents'], owner)
      break
    case 'halfSpace':
      requireDirection(context, shape.normal, [...path, 'normal'], owner)
      break
  }
}

export function checkFaces({ list }: RuleContext, faces: readonly (readonly number[])[], vertices: number, path: Path, owner: string): void {
  for (let i = 0; i < faces.length; i++) {
    const face = faces[i]!
    let missing: number | undefined
    for (let k = 0; k < face.length; k++) if (face[k]! >= vertices) missing = face[k]!
    if (missing !== undefined) {
      list.report('InvalidFace', [...path, i], `The face refers to vertex ${missing}, and there are ${vertices}`, {
        value: face, allowed: `indices from 0 to ${vertices - 1}`, ids: [owner],
      })
    } else if (repeats(face)) {
      list.report('InvalidFace', [...path, i], 'The face has a vertex twice', { value: face, allowed: 'different indices', ids: [owner] })
    } else {
      continue
    }
    if (list.problems.length >= 20) return
  }
}

function repeats(face: readonly number[]): boolean {
  if (face.length > 8) return new Set(face).size < face.length
  for (let i = 1; i < face.length; i++) for (let k = 0; k < i; k++) if (face[i] === face[k]) return true
  return false
}

function checkMesh(context: RuleContext, mesh: ShapeOf<'mesh'>, path: Path, owner: string): void {
  const { list } = context
  const { vertices, faces, file, solid } = mesh
  if (solid !== undefined) {
    checkInertia(context, solid.inertia, [...path, 'solid', 'inertia'], owner)
    if (file === undefined) {
      list.report('InvalidMesh', [...path, 'solid'], 'Vertices and faces already define the solid', {
        value: solid, allowed: 'solid only together with a file', ids: [owner],
      })
    }
  }
  const embedded = vertices !== undefined && faces !== undefined
  if (file === undefined ? !embedded : vertices !== undefined || faces !== undefined) {
    list.report('InvalidMesh', path, 'A mesh has either vertices and faces or a file', {
      allowed: 'vertices and faces, or file', ids: [owner],
    })
  } else if (file !== undefined) {
    checkFile(context, file, [...path, 'file'], owner)
  } else if (vertices && faces) {
    checkFaces(context, faces, vertices.length, [...path, 'faces'], owner)
  }
}

/** The path of a mesh must stay below the scene's folder, on every operating system. */
function checkFile({ list }: RuleContext, file: string, path: Path, owner: string): void {
  const parts = file.split('/')
  const relative = !file.includes('\\') && !/^[A-Za-z]:/.test(file) && !file.startsWith('/') && !file.includes('\0')
    && parts.every(part => part !== '..' && part !== '' && part !== '.')
  if (!relative) {
    list.report('InvalidFile', path, 'The path must stay below the scene\'s folder', {
      value: file, allowed: 'a relative path with "/" and without ".."', ids: [owner],
    })
  } else if (!/\.(obj|stl|ply|gltf|glb)$/i.test(file)) {
    list.report('InvalidFile', path, 'Unknown kind of mesh file', { value: file, allowed: '.obj, .stl, .ply, .gltf or .glb', ids: [owner] })
  }
}

/** Superquadrics with points of zero curvature are accepted, with a warning. */
function checkExponents({ list }: RuleContext, { exponents: [e1, e2] }: ShapeOf<'superquadric'>, path: Path, owner: string): void {
  const flat = []
  if (e1 < 1) flat.push('at the poles z = ±c and along the equator z = 0')
  if (e2 < 1) flat.push('along the meridians through x = ±a and y = ±b')
  if (e1 === 2) flat.push('along every meridian, which is straight')
  if (e2 === 2) flat.push('along every parallel between the axes, which is straight')
  if (flat.length === 0) return
  list.report('FlatSpots', path, `The surface is not strictly convex: its curvature vanishes ${flat.join('; ')}`, {
    value: [e1, e2], allowed: 'exponents from 1 to below 2 are strictly convex', ids: [owner], severity: 'warning',
  })
}
