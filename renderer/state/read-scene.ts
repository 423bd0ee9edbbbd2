import { parseScene, type Problem, type Scene } from '../../core/scene'

/** A scene's text as a document, or the problems that keep it from being one. */
export function readScene(text: string): { readonly scene: Scene | null; readonly problems: readonly Problem[] } {
  const result = parseScene(text)
  return result.ok ? { scene: result.scene, problems: result.warnings } : { scene: null, problems: result.problems }
}
