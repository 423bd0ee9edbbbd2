/** Faults of files: a page hears the file's name, the command line its whole path. */
import type { Problem } from './problem'

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'it does not exist', EACCES: 'access is denied', EPERM: 'access is denied', EROFS: 'the disk is read-only', EISDIR: 'it is a folder',
  ENOTDIR: 'its folder is a file', ENOSPC: 'the disk is full', EDQUOT: 'the disk quota is used up', EMFILE: 'too many files are open',
  ENXIO: 'it is a pipe', ESPIPE: 'it is a pipe',
  ENAMETOOLONG: 'its name is too long', ELOOP: 'its links go round in circles',
}

/** What the system says, without the path that Node's own messages carry. */
export function systemReason(error: unknown): string {
  const { code, message } = error as Error & { readonly code?: string }
  return code === undefined ? message : REASONS[code] ?? `the system says ${code}`
}

/** For a page: it never sees where a file is. */
export function withoutFile({ file: _, ...problem }: Problem): Problem {
  return problem
}

/** For the command line: the file's path in place of its name, and as the value that is at fault. */
export function withFile(problem: Problem): Problem {
  const { file, message } = problem
  if (file === undefined) return problem
  const name = file.slice(Math.max(file.lastIndexOf('/'), file.lastIndexOf('\\')) + 1)
  return { ...problem, message: message.replace(`"${name}"`, () => `"${file}"`), value: problem.value ?? file }
}
