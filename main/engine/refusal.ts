/** The error for a scene that is refused because of its problems. */
import { HostError } from '../protocol/host'
import type { Problem } from '../protocol/problem'

export function refusal(problems: readonly Problem[]): HostError {
  const errors = problems.filter(problem => problem.severity === 'error')
  return new HostError('Refused', errors[0]?.message ?? 'The scene was refused.', problems)
}
