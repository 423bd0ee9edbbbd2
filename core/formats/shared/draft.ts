/**
 * A scene under construction: ids made from the file's names, deduplicated materials and meshes, and the lists of losses, missing files and
 * assumptions.
 */

import { toBase64 } from '../../math/base64'
import { sha256 } from '../../math/hash'
import { limits, parseScene, pictureOf, type Body, type Force, type Joint, type Material, type MaterialPair, type MeshAsset, type Scene, type Sensor, type Texture } from '../../scene'
import type { Vec3 } from '../../math/vector'
import type { ImportNote, ImportResult } from '../format'
import type { SeenMesh } from '../mesh'
import { contentNumber, sameMesh } from './alike'
import { FormatError } from './error'
import { Losses } from './losses'
import { Names } from './names'

export interface Surface {
  /** Name of the material in the file, for its id. */
  readonly name?: string
  readonly friction?: { readonly static: number; readonly dynamic: number; readonly torsional?: number; readonly rolling?: number }
  readonly restitution?: number
  /** kg/m³ */
  readonly density?: number
  /** #rrggbb */
  readonly color?: string
  /** Key that keeps otherwise equal materials separate. */
  readonly apart?: string
}

/** Limit on the bodies of a document that can still be handled. */
const MAX_BODIES = 10_000
const MAX_JOINTS = 100_000
/** Limit on the vertices of all visual surfaces, so that the scene stays within the limits of its own format. */
const MAX_VISUAL_VERTICES = 400_000
/** Bytes of a picture, as the scene allows. */
const MAX_PICTURE = 16 * 1024 * 1024

export class SceneDraft {
  readonly losses = new Losses()
  readonly names = new Names()
  readonly bodies: Body[] = []
  readonly joints: Joint[] = []
  readonly forces: Force[] = []
  readonly sensors: Sensor[] = []
  readonly materials: Material[] = []
  readonly materialPairs: MaterialPair[] = []
  private readonly meshes: MeshAsset[] = []
  private readonly surfaces = new Map<string, string>()
  private readonly colors = new Map<string, string | null>()
  private readonly assets = new Map<SeenMesh, string>()
  private readonly assetsByContent = new Map<number, MeshAsset[]>()
  private readonly textures: Texture[] = []
  /** Ids of textures by their content. */
  private readonly pictures = new Map<string, string>()
  private readonly contents = new Map<Uint8Array, string>()
  private pixels = 0
  private seen = 0
  private readonly absent = new Set<string>()
  private readonly noted: ImportNote[] = []

  /** The id of a material with these values. */
  material(surface: Surface): string {
    const { name, friction, restitution = 0, density, color, apart } = surface
    const key = JSON.stringify([name, apart, friction?.static, friction?.dynamic, friction?.torsional, friction?.rolling, restitution, density, color])
    let id = this.surfaces.get(key)
    if (id === undefined) {
      id = this.names.fresh(name, 'material')
      this.materials.push({
        id,
        ...(density === undefined ? {} : { density }), ...(friction === undefined ? {} : { friction }),
        ...(restitution === 0 ? {} : { restitution }), ...(color === undefined ? {} : { color }),
      })
      this.surfaces.set(key, id)
      this.colors.set(id, color ?? null)
    }
    return id
  }

  /** #rrggbb of a material; null if the file has none. */
  colorOf(material: string): string | null {
    return this.colors.get(material) ?? null
  }

  /** The id of a mesh with this surface, shared by equal surfaces; null, with a loss, if there are too many. */
  mesh(mesh: SeenMesh, name: string | undefined): string | null {
    let id = this.assets.get(mesh)
    if (id === undefined) {
      const key = contentNumber(mesh)
      const alike = this.assetsByContent.get(key) ?? []
      const known = alike.find(one => sameMesh(one, mesh))
      if (known === undefined && this.seen + mesh.vertices.length > MAX_VISUAL_VERTICES) {
        this.losses.add('meshes', `Visual meshes beyond ${MAX_VISUAL_VERTICES} vertices in total`, 'the first of them')
        return null
      }
      id = known?.id ?? this.addMesh(mesh, name, alike)
      this.assetsByContent.set(key, alike)
      this.assets.set(mesh, id)
    }
    return id
  }

  private addMesh({ vertices, faces, colors, uv }: SeenMesh, name: string | undefined, alike: MeshAsset[]): string {
    const id = this.names.fresh(name, 'mesh')
    const asset: MeshAsset = { id, ...this.named(name, id), vertices: [...vertices], faces: faces.map(face => [...face]),
      ...(colors === undefined ? {} : { colors: [...colors] }), ...(uv === undefined ? {} : { uv: uv.map(([u, v]): [number, number] => [u, v]) }) }
    this.seen += vertices.length
    this.meshes.push(asset)
    alike.push(asset)
    return id
  }

  /** Adds a body and returns its new id. @throws FormatError if there are too many bodies */
  body(name: string | undefined, body: Omit<Body, 'id' | 'name'>): string {
    if (this.bodies.length >= MAX_BODIES) throw new FormatError('TooMany', 'bodies', 'The file has too many bodies.', { allowed: `at most ${MAX_BODIES}` })
    const id = this.names.fresh(name, 'body')
    this.bodies.push({ id, ...this.named(name, id), ...body })
    return id
  }

  /** Adds a joint and returns its new id. */
  /** @param shown display name, if the file has one besides the id */
  joint(name: string | undefined, joint: Joint extends infer J ? J extends Joint ? Omit<J, 'id' | 'name'> : never : never, shown = name): string {
    if (this.joints.length >= MAX_JOINTS) throw new FormatError('TooMany', 'joints', 'The file has too many joints.', { allowed: `at most ${MAX_JOINTS}` })
    const id = this.names.fresh(name, 'joint')
    this.joints.push({ id, ...this.named(shown, id), ...joint } as Joint)
    return id
  }

  force(name: string | undefined, force: Force extends infer F ? F extends Force ? Omit<F, 'id' | 'name'> : never : never): string {
    const id = this.names.fresh(name, 'force')
    this.forces.push({ id, ...this.named(name, id), ...force } as Force)
    return id
  }

  sensor(name: string | undefined, sensor: Sensor extends infer S ? S extends Sensor ? Omit<S, 'id' | 'name'> : never : never): string {
    const id = this.names.fresh(name, 'sensor')
    this.sensors.push({ id, ...this.named(name, id), ...sensor } as Sensor)
    return id
  }

  /** Keeps the name only if the id differs from it. */
  private named(name: string | undefined, id: string): { name?: string } {
    return name === undefined || name === '' || name === id ? {} : { name: name.slice(0, 1000) }
  }

  /** The id of a texture with this picture, shared by equal pictures; null, with a loss, if the scene cannot have it. @param name of its file */
  texture(where: string, name: string, bytes: Uint8Array): string | null {
    const content = this.contents.get(bytes) ?? sha256(bytes)
    this.contents.set(bytes, content)
    const known = this.pictures.get(content)
    if (known !== undefined) return known
    const picture = pictureOf(bytes)
    const most = limits.textureSide
    if (picture === null) return this.lostTexture(where, name, 'which is neither PNG nor JPEG')
    if (bytes.length > MAX_PICTURE) return this.lostTexture(where, name, `of ${bytes.length} bytes, of which ${MAX_PICTURE} are allowed`)
    if (picture.columns > most || picture.rows > most) return this.lostTexture(where, name, `of ${picture.columns} × ${picture.rows} pixels, of which ${most} along a side are allowed`)
    const pixels = picture.columns * picture.rows
    if (this.pixels + pixels > limits.texturePixels) return this.lostTexture(where, name, `beyond ${limits.texturePixels} pixels of all textures`)
    this.pixels += pixels
    const stem = name.slice(Math.max(name.lastIndexOf('/'), name.lastIndexOf('\\')) + 1).replace(/\.[a-z0-9]{1,5}$/i, '')
    const id = this.names.fresh(stem, 'texture')
    this.textures.push({ id, ...this.named(stem, id), picture: toBase64(bytes) })
    this.pictures.set(content, id)
    return id
  }

  /** Reports a texture that the scene cannot have. @param file its name; may be empty @param why as a clause */
  lostTexture(where: string, file: string, why = ''): null {
    this.losses.add(where, `a texture${file === '' ? '' : `, "${file.slice(0, 200)}"`}${why === '' ? '' : `, ${why}`}`, 'the colour alone')
    return null
  }

  missing(name: string): void {
    this.absent.add(name)
  }

  note(label: string, value: string): void {
    this.noted.push({ label, value })
  }

  /** The validated document. @throws FormatError if it is not a valid scene */
  finish(name: string | undefined, gravity: Vec3): ImportResult {
    const scene: Scene = {
      format: 'cairn-scene', version: 1, ...(name === undefined || name === '' ? {} : { name: name.slice(0, 1000) }), gravity,
      materials: this.materials, ...(this.materialPairs.length > 0 ? { materialPairs: this.materialPairs } : {}), bodies: this.bodies, joints: this.joints,
      ...(this.forces.length > 0 ? { forces: this.forces } : {}), ...(this.sensors.length > 0 ? { sensors: this.sensors } : {}),
      ...(this.meshes.length > 0 ? { meshes: this.meshes } : {}), ...(this.textures.length > 0 ? { textures: this.textures } : {}),
    }
    const checked = parseScene(scene)
    if (!checked.ok) {
      const first = checked.problems[0]!
      throw new FormatError('InvalidValue', first.path, first.message, { value: first.value, ids: first.ids, ...(first.allowed === undefined ? {} : { allowed: first.allowed }) })
    }
    return { scene, losses: this.losses.list, missing: [...this.absent], notes: this.noted }
  }
}

