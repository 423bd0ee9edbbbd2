import { type Body, type ForceType, type JointType, type SensorType, type Shape, type ShapeType } from '../../core/scene'
import { isMeshFile, MESH_FILES } from '../../core/formats/mesh/mesh'
import { isPlanar, planarShape } from '../modelling/plane'
import { jointKind, jointTypes } from '../joints'
import { bodiesOf, positionOf } from '../state/scene-access'
import { addableShapes, defaultShape, isPlanarShape, restingHeight, shapeStem } from '../shapes'
import { useDocument } from '../state/document'
import { materialForNewShape } from '../state/editing'
import { useLive } from '../state/live'
import { useMeshes } from '../state/meshes'
import { usePlayback } from '../state/playback'
import { useSelection } from '../state/selection'
import { useShell } from '../state/shell'
import { useView } from '../state/view'
import { createScript } from '../state/create-script'
import { boxOf, boxOfAll, heightOver, liftOver } from '../modelling/extents'
import { fromAxisAngle } from '../modelling/rotations'
import type { Spot } from '../state/drop-point'
import { clothFromBody, clothFromFile, shownMesh } from '../state/new-cloth'
import { newDeformable } from '../state/new-deformable'
import { addRopeBetween } from '../state/new-rope'
import { useVertices } from '../state/vertices'
import { newElement } from '../state/free-names'
import { hairOn, seenRoots, sizeOf, sizesFor } from '../state/new-hair'
import { INTERACTIONS, newForce } from '../state/new-force'
import { wantedJoint } from '../state/new-joint'
import { terrainFromFile } from '../state/new-terrain'
import { newSensor, SENSORS } from '../state/new-sensor'
import { outsideInView, pointInView, spotInView } from '../state/point-in-view'
import { useViewportApi } from '../state/viewport-api'
import { useWind } from '../state/wind'
import { addScaled, cross, normalize, type Vec3 } from '../../core/math/vector'
import type { Command } from './registry'

const FORCES: readonly (readonly [ForceType, string])[] = [
  ['uniform', 'Uniform force'], ['point', 'Force at a point'], ['torque', 'Torque'], ['spring', 'Spring'], ['drag', 'Drag'],
  ['attractor', 'Attractor'], ['wind', 'Wind'], ['pair', 'Attraction or repulsion of particles'], ['lennard-jones', 'Lennard-Jones force'],
  ['keyframed', 'Keyframed force'], ['guide', 'Guide'], ['script', 'Script force'],
]

const DEFORMABLES = [
  ['rope', 'Rope', 'One metre long, pinned at one end.'], ['cloth', 'Cloth', 'A square metre, pinned at two corners.'],
  ['disc', 'Round cloth', 'A disc of one metre, pinned at its centre.'],
  ['particles', 'Particle lattice', 'A block of masses with springs between them, one of them pinned.'],
] as const

export function addCommands(): Command[] {
  const document = useDocument()
  const selection = useSelection()
  const shell = useShell()
  const live = useLive()

  return [
    ...addableShapes.map(([type, label]): Command => ({
      id: `add.${type}`, label, menu: 'Add', group: type === 'halfSpace' ? 'ground' : 'shapes',
      ...(isPlanarShape(type) ? {} : { enabled: () => !isPlanar(document.scene), help: 'Not available in two dimensions: it has no section with the plane.' }),
      run: () => addBody(type, label),
    })),
    ...DEFORMABLES.map(([type, label, help]): Command => ({
      id: `add.${type}`, label, menu: 'Add', group: 'more', submenu: 'Deformable', help, run: () => addDeformable(type, label),
    })),
    {
      id: 'add.clothFile', label: 'Cloth from mesh file…', menu: 'Add', group: 'more', submenu: 'Deformable',
      help: 'The surface of an OBJ, STL, PLY, glTF or COLLADA file. Its shape is its rest shape.',
      run: () => chooseFile(MESH_FILES.map(ending => `.${ending}`).join(','), file => void clothFromFile(file, pointInView())),
    },
    {
      id: 'add.clothBody', label: 'Cloth from mesh of selected body', menu: 'Add', group: 'more', submenu: 'Deformable',
      help: 'A sheet with the surface that its body shows, beside it.',
      enabled: () => selection.bodies.length === 1 && shownMesh(document.scene, selection.bodies[0]!) !== null,
      run: () => clothFromBody(selection.bodies[0]!, pointInView()),
    },
    {
      id: 'add.ropeBetween', label: 'Rope between two points…', menu: 'Add', group: 'more', submenu: 'Deformable',
      help: 'Click a point on a body, then another one: the rope is straight between them, and attached to both.',
      enabled: () => live.run === null && (document.scene.bodies?.length ?? 0) > 0, run: () => void addRopeBetween(),
    },
    {
      id: 'add.windRope', label: 'Rope wound round selected body…', menu: 'Add', group: 'more', submenu: 'Deformable',
      help: 'For drums, pulleys and posts: axis, turns and side, with a preview. If a rope is selected too, it is wound between its ends.',
      checked: () => useWind().active, enabled: () => useWind().active || (live.run === null && selection.bodies.length === 1),
      run: () => useWind().active ? useWind().stop() : useWind().start(),
    },
    {
      id: 'add.hair', label: 'Hair on selected body', menu: 'Add', group: 'more', submenu: 'Deformable',
      help: 'Strands along its normals, on the part of its surface that is seen.',
      enabled: () => selection.bodies.length === 1 && useViewportApi().ready, run: addHair,
    },
    {
      id: 'add.paintedHair', label: 'Hair where it is painted…', menu: 'Add', group: 'more', submenu: 'Deformable',
      help: 'A brush grows strands on the selected body; then they can be combed, made longer or shorter, and their stiffness painted.',
      enabled: () => live.run === null && selection.bodies.length === 1 && useViewportApi().ready, run: () => useVertices().beginHair(selection.bodies[0]!),
    },
    {
      id: 'add.mesh', label: 'Mesh from file…', menu: 'Add', group: 'mesh', help: 'OBJ, STL, PLY, glTF or COLLADA, cut into convex pieces; choose its material library and pictures too. Files may also be dropped on the window.',
      enabled: () => useMeshes().job === null,
      run: () => chooseFiles([...MESH_FILES, 'mtl', 'png', 'jpg', 'jpeg'].map(ending => `.${ending}`).join(','), files => {
        const file = files.find(({ name }) => isMeshFile(name)) ?? files[0]!
        void useMeshes().importFile(file, pointInView(), files.filter(other => other !== file))
      }),
    },
    {
      id: 'add.terrain', label: 'Terrain from heights…', menu: 'Add', group: 'mesh', help: 'A fixed body: a table of heights in metres (CSV, text), or a PNG picture whose bright parts are high.',
      run: () => chooseFile('.csv,.txt,.asc,.png', file => void terrainFromFile(file, pointInView())),
    },
    {
      id: 'add.shape', label: 'Shape to selected body', menu: 'Add', group: 'more', enabled: () => selection.bodies.length === 1,
      help: 'A second solid, rigidly attached.', run: addShape,
    },
    { id: 'add.joint', label: 'Joint…', menu: 'Add', group: 'more', keys: ['Shift+J'], help: 'Joins the two selected bodies, or one and the world.', run: () => openJointForm('hinge') },
    ...jointTypes.map((type): Command => ({
      id: `add.joint.${type}`, label: jointKind(type).label, menu: 'Add', group: 'more', submenu: 'Joint of type', help: 'Joins the two selected bodies, or one and the world.',
      enabled: () => bodiesOf(document.scene).length > 0, run: () => openJointForm(type),
    })),
    { id: 'add.material', label: 'Material…', menu: 'Add', group: 'more', run: () => shell.openPanel('materials') },
    ...FORCES.map(([type, label]): Command => ({
      id: `add.force.${type}`, label, menu: 'Add', group: 'more', submenu: 'Force',
      enabled: () => (INTERACTIONS.has(type) ? document.scene.deformables ?? [] : bodiesOf(document.scene)).length > 0, run: () => addForce(type, label),
    })),
    { id: 'add.parameter', label: 'Parameter…', menu: 'Add', group: 'more', help: 'A number that fields depend on, with a slider.', run: () => shell.openPanel('parameters') },
    ...SENSORS.map(([type, label, help]): Command => ({
      id: `add.sensor.${type}`, label, menu: 'Add', group: 'more', submenu: 'Sensor', help,
      enabled: () => ((type === 'joint' ? document.scene.joints : document.scene.bodies)?.length ?? 0) > 0, run: () => addSensor(type, label),
    })),
    {
      id: 'add.controller', label: 'Controller', menu: 'Add', group: 'more', help: 'A script that is called at instants and sets forces and joint drives until the next call.',
      enabled: () => (document.scene.bodies?.length ?? 0) > 0, run: () => {
        createScript('controller')
        shell.openPanel('script')
      },
    },
    {
      id: 'library.open', label: 'Shape library…', menu: 'Add', group: 'mesh', keys: ['Shift+L'], help: 'Regular solids, prisms, wedges, arches, gears, chains and more, at any size.',
      run: () => { shell.dialog = 'library' },
    },
    {
      id: 'template.insert', label: 'Insert template…', menu: 'Add', group: 'mesh', keys: ['Shift+T'], help: 'Ramps, tables, carts, and your own templates.',
      run: () => { shell.dialog = 'templates' },
    },
    {
      id: 'template.save', label: 'Save selection as template…', menu: 'Add', group: 'mesh', enabled: () => selection.bodies.length + selection.deformables.length > 0,
      help: 'With the joints, forces and groups among the selected bodies.', run: () => { shell.dialog = 'template' },
    },
    { id: 'add.menu', label: 'Add…', keys: ['Shift+A'], run: () => {
      shell.paletteFilter = 'Add: '
      shell.dialog = 'palette'
    } },
  ]

  function openJointForm(type: JointType) {
    wantedJoint.value = type
    shell.openPanel('joints')
  }

  /** Places a body on the surface in the middle of the view; in a live session it is added while the simulation continues. */
  function addBody(type: ShapeType, label: string) {
    if (live.run !== null) {
      const { shownScene } = usePlayback()
      const material = shownScene.materials?.[0]?.id
      if (material === undefined || type === 'halfSpace') return shell.notify(material === undefined ? 'The scene has no material for a body yet' : 'A ground has to be added before the session starts')
      const shape = isPlanar(shownScene) ? planarShape(defaultShape(type, material)) : defaultShape(type, material)
      return live.create({ ...newElement(shownScene, label, shapeStem(type)), position: outsideInView(shape, isPlanar(shownScene)), shapes: [shape] })
    }
    const made = newElement(document.scene, type === 'halfSpace' ? 'Ground' : label, shapeStem(type))
    document.edit(`add ${label.toLowerCase()}`, draft => {
      const material = materialForNewShape(draft)
      const planar = isPlanar(draft)
      const shape = planar ? planarShape(defaultShape(type, material)) : defaultShape(type, material)
      const seen = spotInView()
      const { point, normal } = seen
      draft.bodies ??= []
      const spot = planar ? { ...seen, point: [point[0], 0, point[2]] as const, normal: Math.abs(normal[1]) < 1e-6 ? normal : UP } : seen
      const body = type === 'halfSpace' ? { ...made, type: 'fixed' as const, shapes: [shape] } : bodyAt(made, shape, spot)
      draft.bodies.push(spot.isSuggested ? aboveOthers(body) : body)
    })
    selection.select([made.id])
    shell.showNew()
  }

  function addShape() {
    const id = selection.bodies[0]
    const place = id === undefined ? undefined : document.place(id)
    if (id === undefined || !place) return
    const count = document.scene.bodies?.[place.index]?.shapes?.length ?? 0
    document.edit('add shape', draft => {
      const body = draft.bodies![place.index]!
      const box = defaultShape('box', materialForNewShape(draft))
      const shape = isPlanar(draft) ? planarShape(box) : box
      body.shapes = [...body.shapes ?? [], { ...shape, position: onTopOf(bodiesOf(document.scene)[place.index]!, shape) }]
    })
    selection.selectShape(id, count)
    shell.showNew()
  }

  function addDeformable(type: (typeof DEFORMABLES)[number][0], label: string) {
    const [x, y, z] = pointInView()
    const { id } = newDeformable(type, label, document.scene, '', [x, y, z])
    document.edit(`add ${label.toLowerCase()}`, draft => {
      const material = materialForNewShape(draft)
      const at = (height: number) => newDeformable(type, label, document.scene, material, [x, y, height])
      const lift = liftOver(bodiesOf(document.scene).flatMap(other => boxOf(other) ?? []), boxOfAll([], [at(z)])!)
      draft.deformables ??= []
      draft.deformables.push(at(z + Math.ceil(lift * 1e4) / 1e4))
    })
    selection.select([id])
    shell.showNew()
  }

  function addHair() {
    const place = document.place(selection.bodies[0]!)
    const { api } = useViewportApi()
    const body = place && document.scene.bodies?.[place.index]
    if (!body || !api) return
    const roots = seenRoots(api, body)
    if (roots.length === 0) return shell.notify('Nothing of the body is seen: turn the view, or frame it (F)')
    const made = newElement(document.scene, 'Hair', 'hair')
    document.edit('add hair', draft => {
      const material = materialForNewShape(draft)
      draft.deformables ??= []
      draft.deformables.push({ ...made, material, ...hairOn(roots, sizesFor(sizeOf(body)), body.id) })
    })
    selection.select([made.id])
    shell.showNew()
  }

  function addSensor(type: SensorType, label: string) {
    const sensor = newSensor(type, label, document.scene, selection.ids)
    if (sensor === null) return
    document.edit(`add ${label.toLowerCase()}`, draft => void (draft.sensors ??= []).push(sensor))
    selection.select([sensor.id])
    shell.openPanel('inspector')
  }

  function addForce(type: ForceType, label: string) {
    const made = newForce(type, label, document.scene, [...selection.bodies, ...selection.deformables])
    document.edit(`add ${type} force`, draft => {
      if (made.script) (draft.scripts ??= []).push(made.script)
      draft.forces ??= []
      draft.forces.push(made.force)
    })
    selection.select([made.force.id])
    shell.openPanel(made.script ? 'script' : 'inspector')
  }
}

const UP: Vec3 = [0, 0, 1]

/** Snapped to the grid along the surface, but placed on it: exactly if it is level or the body lies on it, else less than a tenth of a millimetre above it. */
function bodyAt(made: Pick<Body, 'id' | 'name'>, shape: Shape, { point, normal, lies = false }: Spot): Body {
  const { enabled, move } = useView().snapping
  const onGrid = (x: number) => enabled && move > 0 ? round(Math.round(x / move) * move) : round(x)
  const [x, y] = [onGrid(point[0]), onGrid(point[1])]
  if (normal[2] > 1 - 1e-12) return { ...made, position: [x, y, round(point[2] + restingHeight(shape))], shapes: [shape] }
  const surface = point[2] - (normal[0] * (x - point[0]) + normal[1] * (y - point[1])) / normal[2]
  if (lies) {
    const orientation = fromAxisAngle(normalize(cross(UP, normal)), Math.acos(normal[2]))
    return { ...made, position: addScaled([x, y, surface], normal, restingHeight(shape)), orientation, shapes: [shape] }
  }
  return { ...made, position: [x, y, Math.ceil((surface + heightOver(shape, normal)) * 1e4) / 1e4], shapes: [shape] }
}

/** The body, lifted above the bodies that it would overlap. */
function aboveOthers(body: Body): Body {
  const box = boxOf(body)
  if (!box) return body
  const lift = liftOver(bodiesOf(useDocument().scene).flatMap(other => boxOf(other) ?? []), box)
  const [x, y, z] = positionOf(body)
  return lift === 0 ? body : { ...body, position: [x, y, Math.ceil((z + lift) * 1e4 - 1e-6) / 1e4] }
}

/** Where a shape stands on the middle of the others, in the body's frame. */
function onTopOf(body: Body, shape: Shape): Vec3 {
  const box = boxOf({ ...body, position: [0, 0, 0], orientation: [0, 0, 0, 1] })
  if (!box) return [0, 0, 0]
  const { low, high } = box
  return [round((low[0] + high[0]) / 2), round((low[1] + high[1]) / 2), round(high[2] + restingHeight(shape))]
}

const round = (x: number) => Math.round(x * 1e4) / 1e4

/** Asks for a file with one of these extensions; does nothing if the user cancels. */
export function chooseFile(accept: string, chosen: (file: File) => void) {
  ask(accept, false, ([file]) => chosen(file!))
}

/** Asks for one or more files; does nothing if the user cancels. */
function chooseFiles(accept: string, chosen: (files: readonly File[]) => void) {
  ask(accept, true, chosen)
}

function ask(accept: string, multiple: boolean, chosen: (files: readonly File[]) => void) {
  const input = window.document.createElement('input')
  Object.assign(input, { type: 'file', accept, multiple })
  input.addEventListener('change', () => {
    const files = [...input.files ?? []]
    if (files.length > 0) chosen(files)
  })
  input.click()
}
