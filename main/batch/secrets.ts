/** Secrets come from the environment, or from a file that it names: never from arguments, which other people of a machine can read. */
import { readFileSync } from 'node:fs'
import { systemReason } from '../protocol/problem-file'
import { sweepFault } from './fault'

/** The variable, or the contents of the file that the variable with `_FILE` names; null where there is neither. @throws HostError */
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
