/** Output and exit codes of the command line. Results go to standard output, everything else to standard error. */
import { problemSentence } from '../../core/scene/problem'
import { HostError } from '../protocol/host'
import type { Problem } from '../protocol/problem'
import { withFile } from '../protocol/problem-file'

export const exitCodes = { done: 0, stopped: 1, refused: 2, cancelled: 130 } as const

/** Refused before anything began: usage, files, scenes. */
export class Refusal extends Error {
  override readonly name = 'Refusal'

  constructor(readonly problems: readonly Problem[]) {
    super(problems[0]?.message ?? 'refused')
  }
}

export function usage(message: string, allowed?: string): Refusal {
  return new Refusal([{ name: 'Usage', severity: 'error', message, path: '', ids: [], ...(allowed === undefined ? {} : { allowed }) }])
}

/** One JSON object on one line. */
export function printJson(value: object): void {
  process.stdout.write(`${JSON.stringify(value)}\n`)
}

export function print(line: string): void {
  process.stdout.write(`${line}\n`)
}

export function log(line: string): void {
  process.stderr.write(`${line}\n`)
}

/** A problem in the form of `--json`. */
export function problemJson(problem: Problem): object {
  const { name, message, path, value, allowed, ids, time, line, column } = withFile(problem)
  return { name, message, path, value: value ?? null, allowed: allowed ?? null, ids, time: time ?? null, ...(line ? { line, column } : {}) }
}

/** A problem as text: where, what, and what is allowed. */
export function problemText(problem: Problem): string {
  const line = problem.line ? `line ${problem.line}, column ${problem.column ?? 0}` : ''
  const place = problem.message.includes(`(${line}`) && line !== '' ? '' : [problem.path, line].filter(part => part !== '').join(', ')
  return `${problem.severity}: ${place === '' ? '' : `${place}: `}${problemSentence(withFile(problem))}`
}

/** Prints a refusal and returns its exit code; internal errors are thrown again. */
export function report(error: unknown, json: boolean): number {
  if (error instanceof HostError && error.name === 'Cancelled') {
    if (json) printJson({ status: 'cancelled' })
    return exitCodes.cancelled
  }
  const problems = problemsOf(error)
  if (problems === null) throw error
  const errors = problems.filter(problem => problem.severity === 'error')
  if (json) printJson({ status: 'refused', errors: errors.map(problemJson) })
  for (const problem of problems) log(problemText(problem))
  return exitCodes.refused
}

function problemsOf(error: unknown): readonly Problem[] | null {
  if (error instanceof Refusal) return error.problems
  if (!(error instanceof HostError)) return null
  if (error.problems.length > 0) return error.problems
  return [{ name: error.name, severity: 'error', message: error.message, path: '', ids: [] }]
}
