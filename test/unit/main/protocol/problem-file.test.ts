import { expect, it } from 'vitest'
import { systemReason, withFile, withoutFile } from '../../../../main/protocol/problem-file'

const problem = { name: 'FileNotFound', severity: 'error', message: '"a$&.json" cannot be read: it does not exist.', path: '', ids: [], file: '/tmp/x/a$&.json' } as const

it('the command line gets the whole path, a page only the name', () => {
  expect(withFile(problem)).toMatchObject({ message: '"/tmp/x/a$&.json" cannot be read: it does not exist.', value: '/tmp/x/a$&.json' })
  expect(JSON.stringify(withoutFile(problem))).not.toContain('/tmp')
  const { file: _, ...plain } = problem
  expect(withFile(plain)).toEqual(plain)
})

it('system errors are reported without the path that Node puts into them', () => {
  expect(systemReason(Object.assign(new Error('EACCES: permission denied, open \'/root/x\''), { code: 'EACCES' }))).toBe('access is denied')
  expect(systemReason(Object.assign(new Error('EXYZ: odd, open \'/root/x\''), { code: 'EXYZ' }))).toBe('the system says EXYZ')
})
