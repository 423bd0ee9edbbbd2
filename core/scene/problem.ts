import { formatPath, type Path } from './path'

/** Kinds of problems of a scene; the names are stable and meant for programs. */
export type ProblemName =
  | 'TooLarge' | 'MalformedJson' | 'DuplicateKey' | 'ForbiddenKey' | 'TooDeep' | 'NotFinite' | 'TooManyProblems'
  | 'NotAScene' | 'NewerVersion' | 'UnknownVersion'
  | 'UnknownKey' | 'MissingKey' | 'WrongType' | 'InvalidValue' | 'OutOfRange' | 'InvalidFormat'
  | 'DuplicateId' | 'UnknownReference' | 'DuplicatePair' | 'TooMany'
  | 'InvalidFriction' | 'InvalidInertia' | 'MissingMass' | 'InvalidOrientation' | 'ZeroVector' | 'ParallelAxes' | 'InvalidLimits'
  | 'InvalidJoint' | 'HalfSpaceNotFixed' | 'InvalidFace' | 'InvalidMesh' | 'InvalidVertex' | 'InvalidTriangle' | 'InvalidAttachment' | 'InvalidFile'
  | 'InvalidKeys' | 'InvalidRemoval' | 'InvalidBox' | 'FlatSpots' | 'IgnoredVelocity' | 'UnusedJoint' | 'InUse' | 'GroupInItself'
  | 'InvalidExpression' | 'CircularParameters'
  | 'InvalidPath' | 'PrefabNotRead' | 'InvalidPrefab' | 'CircularPrefabs' | 'ReservedId' | 'PartOfPrefab' | 'UnusedOverride'

/** One problem of a scene: its place, the value found, and what is allowed. */
export interface Problem {
  readonly name: ProblemName
  /** A scene with warnings can be used. */
  readonly severity: 'error' | 'warning'
  /** A sentence for people. */
  readonly message: string
  /** JSON path, e.g. `bodies[3].shapes[0].size`; empty for the document itself. */
  readonly path: string
  /** The value found; long values are replaced by a description. */
  readonly value?: unknown
  /** Values that would be accepted. */
  readonly allowed?: string
  /** Ids of the objects concerned. */
  readonly ids: readonly string[]
  /** 1-based, in the file's text; only for errors of the text itself. */
  readonly line?: number
  readonly column?: number
}

export interface ProblemDetails {
  readonly value?: unknown
  readonly allowed?: string
  readonly ids?: readonly string[]
  readonly severity?: 'error' | 'warning'
  readonly line?: number
  readonly column?: number
}

export function problem(name: ProblemName, path: Path, message: string, details: ProblemDetails = {}): Problem {
  const { value, allowed, ids = [], severity = 'error', line, column } = details
  return {
    name, severity, message, path: formatPath(path), ids,
    ...('value' in details ? { value: shortened(value) } : {}),
    ...(allowed === undefined ? {} : { allowed }),
    ...(line === undefined ? {} : { line }),
    ...(column === undefined ? {} : { column }),
  }
}

/** A value for a message: JSON has no NaN, and long arrays are abbreviated. */
function shortened(value: unknown): unknown {
  if (typeof value === 'number' && !Number.isFinite(value)) return String(value)
  if (typeof value === 'string') return value.length > 200 ? `${value.slice(0, 200)}…` : value
  if (Array.isArray(value)) {
    const small = value.length <= 12 && value.every(item => typeof item !== 'object' || item === null)
    return small ? value.map(shortened) : `an array of ${value.length}`
  }
  if (typeof value === 'object' && value !== null) return 'an object'
  if (typeof value === 'function' || typeof value === 'symbol' || typeof value === 'bigint') return `a ${typeof value}`
  return value
}

/** A value inside a sentence. */
export function quoted(value: unknown): string {
  const short = shortened(value)
  if (typeof short === 'string' && short !== value) return short
  return short === undefined ? 'nothing' : JSON.stringify(short)
}

/** Error and allowed values in one sentence; the second only if the first does not contain it. */
export function problemSentence({ message, allowed }: { readonly message: string; readonly allowed?: string }): string {
  return allowed === undefined || message.includes(allowed) ? message : `${message} (allowed: ${allowed})`
}

/** Thrown by functions that require a valid scene. */
export class SceneError extends Error {
  override readonly name = 'SceneError'
  readonly problems: readonly Problem[]

  constructor(problems: readonly Problem[]) {
    const first = problems[0]
    super(first ? `${first.path === '' ? 'scene' : first.path}: ${first.message}` : 'The scene is invalid')
    this.problems = problems
  }
}

/** Problems listed one by one. */
const MAX_LISTED = 100

/** Collects problems and stops listing them, but not counting, beyond a hundred. */
export class ProblemList {
  readonly problems: Problem[] = []
  private more = 0
  private hasErrors = false

  /** Whether further problems are only counted, so that their texts are not needed. */
  get isFull(): boolean {
    return this.problems.length >= MAX_LISTED
  }

  add(found: Problem): void {
    this.hasErrors ||= found.severity === 'error'
    if (this.isFull) this.more++
    else this.problems.push(found)
  }

  /** Counts errors that are not listed. */
  count(errors: number): void {
    this.hasErrors ||= errors > 0
    this.more += errors
  }

  report(name: ProblemName, path: Path, message: string, details: ProblemDetails = {}): void {
    this.add(problem(name, path, message, details))
  }

  get failed(): boolean {
    return this.hasErrors
  }

  finish(): Problem[] {
    if (this.more > 0) this.problems.push(problem('TooManyProblems', [], `There are ${this.more} more problems`, {}))
    this.more = 0
    return this.problems
  }
}
