import { freshId, type Scene } from '../../core/scene'

/** Makes names that the scene does not have yet: `Ramp` gives `Ramp 2`, then `Ramp 3`. */
export function freeNames(scene: Scene): (name: string) => string {
  const elements = [
    ...scene.bodies ?? [], ...scene.deformables ?? [], ...scene.joints ?? [],
    ...scene.forces ?? [], ...scene.sensors ?? [], ...scene.groups ?? [], ...scene.instances ?? [],
  ]
  const names = new Set(elements.flatMap(({ name }) => name ?? []))
  const tried = new Map<string, number>()
  return name => {
    const stem = name.replace(/ \d+$/, '')
    let free = name
    let n = tried.get(stem) ?? 2
    while (names.has(free)) free = `${stem} ${n++}`
    tried.set(stem, n)
    names.add(free)
    return free
  }
}

/** Id and name of a new element: every element that the editor makes has a name (`Box 2`), and its id follows it (`box-2`). */
export function newElement(scene: Scene, label: string, stem: string): { readonly id: string; readonly name: string } {
  const id = freshId(scene, stem)
  const number = /^-(\d+)$/.exec(id.slice(stem.length))?.[1]
  return { id, name: freeNames(scene)(number === undefined ? label : `${label} ${number}`) }
}
