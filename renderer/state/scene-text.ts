import { ownScene, writeScene, type Scene, type SceneSource } from '../../core/scene'
import { filesOf, presentLibrary } from './instances'

interface Text {
  readonly source: SceneSource | null
  readonly library: object
  readonly text: string
}

const texts = new WeakMap<Scene, Text>()
const files = new WeakMap<Scene, Text>()

/**
 * Text of the scene with its prefab files embedded, for receivers without the document's folder. Unchanged parts keep the bytes of `source`,
 * the text that an earlier state of this scene was read from.
 */
export const sceneText = (scene: Scene, source: SceneSource | null): string => remembered(texts, scene, source, own => {
  const prefabFiles = filesOf(scene)
  return writeScene(prefabFiles.length > 0 ? { ...own, prefabFiles } : own, source)
})

/** The text for saving and display, without prefab files that are in the folder. */
export const fileText = (scene: Scene, source: SceneSource | null): string => remembered(files, scene, source, own => writeScene(own, source))

function remembered(known: WeakMap<Scene, Text>, scene: Scene, source: SceneSource | null, write: (own: Scene) => string): string {
  const [last, library] = [known.get(scene), presentLibrary()]
  if (last && last.source === source && last.library === library) return last.text
  const text = write(ownScene(scene))
  known.set(scene, { source, library, text })
  return text
}
