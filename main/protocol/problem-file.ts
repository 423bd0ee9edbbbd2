/** Problems of files: a page gets the file's name, the command line its full path. */
import type { Problem } from './problem'

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'it does not exist', EACCES: 'access is denied', EPERM: 'access is denied', EROFS: 'the disk is read-only', EISDIR: 'it is a folder',
  ENOTDIR: 'its folder is a file', ENOSPC: 'the disk is full', EDQUOT: 'the disk quota is used up', EMFILE: 'too many files are open',
  ENXIO: 'it is a pipe', ESPIPE: 'it is a pipe',
  ENAMETOOLONG: 'its name is too long', ELOOP: 'its links form a circle',
}

/** The system's error text, without the path in Node's messages. */
export function systemReason(error: unknown): string {
  const { code, message } = error as Error & { readonly code?: string }
  return code === undefined ? message : REASONS[code] ?? `the system says ${code}`
}

/** For a page, which never gets file paths. */
export function withoutFile({ file: _, ...problem }: Problem): Problem {
  return problem
}

/** For the command line: replaces the file's name by its path, which is also the invalid value. */
export function withFile(problem: Problem): Problem {
  const { file, message } = problem
  if (file === undefined) return problem
  const name = file.slice(Math.max(file.lastIndexOf('/'), file.lastIndexOf('\\')) + 1)
  return { ...problem, message: message.replace(`"${name}"`, () => `"${file}"`), value: problem.value ?? file }
}
