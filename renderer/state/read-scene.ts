import { parseDocument, type Problem, type Scene } from '../../core/scene'
import { libraryOf } from './instances'

/** Parses a scene's text, including embedded prefab files, as a document; or returns its problems. */
export function readScene(text: string, library = libraryOf({ files: [], missing: [] })): {
  readonly scene: Scene | null; readonly problems: readonly Problem[]
} {
  const result = parseDocument(text, library)
  return result.ok ? { scene: result.scene, problems: result.warnings } : { scene: null, problems: result.problems }
}
