/** Secrets come from the environment, or from a file named there: never from arguments, which other users of a machine can read. */
import { readFileSync } from 'node:fs'
import { systemReason } from '../protocol/problem-file'
import { sweepFault } from './fault'

/** The variable, or the contents of the file named by the variable with `_FILE`; null if neither is set. @throws HostError */
export function secret(name: string, environment: NodeJS.ProcessEnv = process.env): string | null {
  const file = environment[`${name}_FILE`]
  if (environment[name] !== undefined) return environment[name]
  if (file === undefined) return null
  try {
    return readFileSync(file, 'utf8').trim()
  } catch (error) {
    throw sweepFault(`The file of ${name}, "${file}", cannot be read: ${systemReason(error)}.`, { value: file }, 'FileNotReadable')
  }
}
