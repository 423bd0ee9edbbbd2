import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { exactPieces } from '../../../../core/geometry/convex-pieces'
import { cutConvex } from '../../../../core/geometry/cut-convex'
import { convexHull } from '../../../../core/geometry/hull'
import { enclosedMass, triangleMesh, type Mesh } from '../../../../core/geometry/mesh'
import { distanceTo } from '../../../../core/geometry/surface-distance'
import { isInside, surfaceTree } from '../../../../core/geometry/surface-tree'
import { add, dot, normalize, scale, sub, type Vec3 } from '../../../../core/math/vector'
import { Random } from '../../../fuzz/random'
import { REFERENCE } from '../lcp/reference'

/** A cube of 2 m as the Voronoi cells of random sites, as meshes whose coordinates have six decimals, as in files: none is quite convex. */
function brokenCube(random: Random, count: number): Mesh[] {
  const sites = Array.from({ length: count }, (): Vec3 => [random.between(-1, 1), random.between(-1, 1), random.between(-1, 1)])
  const corners = Array.from({ length: 8 }, (_, i): Vec3 => [i & 1 ? 1 : -1, i & 2 ? 1 : -1, i & 4 ? 1 : -1])
  return sites.map(site => {
    let cell = convexHull('cell', corners)
    for (const other of sites) {
      if (other === site) continue
      const normal = normalize(sub(other, site))
      const { behind } = cutConvex({ vertices: cell.vertices, faces: cell.faces.map(({ loop }) => [...loop]) }, { normal, offset: dot(normal, scale(add(site, other), 0.5)) })
      cell = convexHull('cell', behind)
    }
    return triangleMesh({ vertices: cell.vertices.map(p => p.map(x => Math.round(x * 1e6) / 1e6) as unknown as Vec3), faces: cell.faces.map(({ loop }) => [...loop]) })
  })
}

/** Largest distance of a piece's corner beyond the mesh, m. */
function reach(mesh: Mesh, pieces: readonly (readonly Vec3[])[]): number {
  const tree = surfaceTree(mesh)
  const away = distanceTo(tree)
  return Math.max(...pieces.flat().map(p => isInside(tree, p) ? 0 : away(p)))
}

describe('exact pieces of cells with rounded coordinates', () => {
  it('fill them and reach no further', () => {
    const random = new Random(7)
    const cells = Array.from({ length: 8 }, () => brokenCube(random, 9)).flat()
    const reaches = cells.map(mesh => {
      const pieces = exactPieces(mesh, 64)!
      const volume = pieces.reduce((sum, points) => sum + convexHull('piece', points).massProperties.volume, 0)
      expect(Math.abs(volume / enclosedMass(mesh).volume - 1)).toBeLessThan(1e-6)
      return reach(mesh, pieces)
    })
    expect(Math.max(...reaches)).toBeLessThan(1e-6)
  })

  const scene = join(REFERENCE, 'failures/fracture-cube-initial-overlap/scene.cairn.json')
  it.skipIf(!existsSync(scene))('leave no sliver in the neighbour of a piece of a broken cube', () => {
    const { bodies } = JSON.parse(readFileSync(scene, 'utf8')) as { bodies: { shapes: Mesh[] }[] }
    const reaches = bodies.slice(0, 8).map(({ shapes: [mesh] }) => {
      const triangles = triangleMesh({ vertices: mesh!.vertices, faces: mesh!.faces })
      return reach(triangles, exactPieces(triangles, 64)!)
    })
    expect(Math.max(...reaches)).toBeLessThan(1e-6)
  })
})
