/** Outcome of one trial. Only `wrong`, `failed` and `silent` are faults. */
export interface Outcome {
  readonly outcome:
    | 'completed'
    /** With a typed reason before anything was done. */
    | 'refused'
    /** With a typed reason on the way. */
    | 'stopped'
    /** Was slow, and answered its cancel. */
    | 'cut'
    /** Done, but an independent check or a comparison says otherwise. */
    | 'wrong'
    /** An exception that is none of ours, or the end of the thread. */
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

/** What a trial that may throw comes to; `typed` are the names of errors that belong there. */
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
