import { useDocument } from '../state/document'
import { groupsAround } from '../state/groups'
import { pointInView } from '../state/point-in-view'
import { usePrefabs } from '../state/prefabs'
import { titleOf } from '../state/scene-access'
import { useSelection } from '../state/selection'
import type { Command } from './registry'

export function prefabCommands(): Command[] {
  const document = useDocument()
  const selection = useSelection()
  const prefabs = usePrefabs()
  const common = { menu: 'Edit', group: 'group', submenu: 'Prefab' } as const

  /** Name of the selection: its outermost group, or the only selected element. */
  function title(): string {
    const [first] = selection.bodies
    const body = first === undefined ? undefined : document.element('bodies', first)
    const outer = groupsAround(document.scene, body).filter(({ id }) => selection.idSet.has(id)).at(-1)
    return outer ? titleOf(outer) : body ? titleOf(body) : 'Prefab'
  }
  const some = () => selection.ids.some(id => ['bodies', 'deformables', 'instances'].includes(document.place(id)?.collection ?? ''))

  return [
    {
      id: 'prefab.save', label: 'Save as prefab…', ...common, enabled: some,
      help: 'Saves the selection as a file and replaces it with an instance: placed many times, edited once.', run: () => prefabs.save(title()),
    },
    {
      id: 'prefab.place', label: 'Place prefab…', ...common, help: 'A scene file from this scene’s folder, as one object.',
      run: () => prefabs.placeFile(pointInView()),
    },
    {
      id: 'prefab.again', label: 'Place once more', ...common, enabled: () => prefabs.chosenPrefab() !== null, help: 'Another instance of the selected prefab.',
      run: () => { prefabs.place(document.element('prefabs', prefabs.chosenPrefab()!)!.file, pointInView()) },
    },
    {
      id: 'prefab.edit', label: 'Edit prefab', ...common, enabled: () => prefabs.chosenPrefab() !== null,
      help: 'Opens its file; every instance follows once that is saved.', run: () => prefabs.edit(prefabs.chosenPrefab()!),
    },
    {
      id: 'prefab.back', label: 'Back to the scene', ...common, enabled: () => prefabs.waiting.length > 0,
      dynamicLabel: () => prefabs.waiting[0] ? `Back to ${prefabs.waiting[0].fileName}` : 'Back to the scene', run: () => prefabs.back(),
    },
    {
      id: 'prefab.replace', label: 'Choose another file…', ...common, enabled: () => prefabs.chosenPrefab() !== null,
      help: 'All instances of the selected prefab use another scene file.', run: () => prefabs.replace(prefabs.chosenPrefab()!),
    },
    {
      id: 'prefab.unpack', label: 'Make local', ...common, enabled: () => prefabs.chosen().length > 0 && prefabs.missing() === null,
      help: 'The instance becomes an ordinary group and no longer follows its prefab.', run: () => prefabs.unpack(),
    },
  ]
}
