/** Errors of edits of bodies. */

export type ModellingFault = 'curved' | 'endless' | 'needsPieces' | 'ownMass' | 'missed' | 'noBody' | 'offPlane' | 'noShape' | 'outline' | 'invalid'

/** The message names body and shape, the error and the allowed values. */
export class ModellingError extends Error {
  override readonly name = 'ModellingError'

  /** @param body id of the body concerned; null if there is none */
  constructor(readonly fault: ModellingFault, readonly body: string | null, message: string) {
    super(message)
  }
}

/** "shape 2 (sphere)" */
export const shapeName = (type: string, index: number): string => `shape ${index + 1} (${WORDS[type] ?? type})`

const WORDS: Readonly<Record<string, string>> = { convexHull: 'convex hull', halfSpace: 'half-space', implicit: 'implicit surface', parametric: 'parametric surface' }
