import { writeScene, type Scene, type SceneSource } from '../../core/scene'

const texts = new WeakMap<Scene, { readonly source: SceneSource | null; readonly text: string }>()

/** Text of the scene; untouched parts keep the bytes of `source`, the text that an earlier state of this scene was read from. */
export function sceneText(scene: Scene, source: SceneSource | null): string {
  const known = texts.get(scene)
  if (known && known.source === source) return known.text
  const text = writeScene(scene, source)
  texts.set(scene, { source, text })
  return text
}
