import { readScene } from '../engine/prefabs'
import { HostError } from '../protocol/host'
import type { Problem } from '../protocol/problem'
import { check } from '../run/check'
import { Arguments } from './arguments'
import { exitCodes, print, printJson, problemJson, problemText } from './output'

export const validateOptions = { json: { type: 'boolean' } } as const

/** `cairn validate <scene>`: all problems with their paths; warnings alone do not fail. */
export async function validate(args: readonly string[]): Promise<number> {
  const given = Arguments.parse(args, validateOptions, ['scene'])
  const problems = await problemsOf(given.positionals[0]!)
  const errors = problems.filter(problem => problem.severity === 'error')
  const warnings = problems.filter(problem => problem.severity === 'warning')
  if (given.flag('json')) {
    printJson({ status: errors.length > 0 ? 'refused' : 'valid', errors: errors.map(problemJson), warnings: warnings.map(problemJson) })
  } else {
    for (const problem of problems) print(problemText(problem))
    print(errors.length > 0 ? `${errors.length} error${errors.length > 1 ? 's' : ''}` : 'valid')
  }
  return errors.length > 0 ? exitCodes.refused : exitCodes.done
}

async function problemsOf(path: string): Promise<readonly Problem[]> {
  try {
    return (await check(readScene(path))).problems
  } catch (error) {
    // A scene with unusable prefabs is invalid like any other; an unreadable file is a different error.
    if (error instanceof HostError && error.name === 'Refused') return error.problems
    throw error
  }
}
