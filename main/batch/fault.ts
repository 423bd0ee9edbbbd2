/** Refusals of sweeps, with what is allowed. */
import { HostError } from '../protocol/host'
import type { Problem } from '../protocol/problem'

/** @param details `path` is a path in a scene, if there is one */
export function sweepFault(message: string, details: Partial<Pick<Problem, 'allowed' | 'path' | 'value' | 'ids'>> = {}, name = 'InvalidSweep'): HostError {
  return new HostError(name, message, [{ name, severity: 'error', message, path: '', ids: [], ...details }])
}
