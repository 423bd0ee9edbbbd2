import { parseDocument, type Problem, type Scene } from '../../core/scene'
import { libraryOf } from './instances'

/** A scene's text, with the files of its prefabs inside if it has any, as a document; or the problems that keep it from being one. */
export function readScene(text: string, library = libraryOf({ files: [], missing: [] })): {
  readonly scene: Scene | null; readonly problems: readonly Problem[]
} {
  const result = parseDocument(text, library)
  return result.ok ? { scene: result.scene, problems: result.warnings } : { scene: null, problems: result.problems }
}
