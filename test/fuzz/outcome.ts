/** Outcome of one trial. Only `wrong`, `failed` and `silent` are faults. */
export interface Outcome {
  readonly outcome:
    | 'completed'
    /** With a typed reason, before the run started. */
    | 'refused'
    /** With a typed reason, during the run. */
    | 'stopped'
    /** Exceeded its time and responded to the cancel. */
    | 'cut'
    /** Ended normally, but an independent check or a comparison failed. */
    | 'wrong'
    /** An untyped exception, or the end of the thread. */
    | 'failed'
    /** No answer to a cancel. */
    | 'silent'
  readonly detail: string
}

export const FAULTS: ReadonlySet<Outcome['outcome']> = new Set(['wrong', 'failed', 'silent'])

/** A kind of trial: made from its seed alone. */
export interface Kind {
  run(seed: number, cancelled: () => boolean): Outcome | Promise<Outcome>
}

/** Outcome of a trial that may throw; `typed` are the names of expected errors. */
export function attempted(typed: readonly string[], action: () => Outcome): Outcome {
  try {
    return action()
  } catch (error) {
    return thrown(typed, error)
  }
}

export function thrown(typed: readonly string[], error: unknown): Outcome {
  const { name, message, stack } = error as Error
  return typed.includes(name) ? { outcome: 'refused', detail: name } : { outcome: 'failed', detail: `${name}: ${message}\n${stack ?? ''}` }
}
