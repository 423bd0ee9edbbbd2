import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, it } from 'vitest'
import { notices } from '../../../bin/notices.js'

const root = resolve(import.meta.dirname, '../../..')

it('lists the licence of everything that is shipped now (npm run notices)', () => {
  expect(readFileSync(join(root, 'THIRD-PARTY-NOTICES.md'), 'utf8')).toBe(notices())
})

it('knows run-time, bundled and indirect packages, and leaves tools out', () => {
  const table = notices().split('\n').filter(line => line.startsWith('| '))
  const names = table.map(line => line.split(' | ')[0]!.slice(2))
  expect(names).toEqual(expect.arrayContaining(['zod', '@babel/parser', 'bullmq', 'msgpackr']))
  for (const tool of ['typescript', 'vitest', 'eslint', 'electron', 'electron-builder', 'dependency-cruiser', '@mujoco/mujoco']) expect(names).not.toContain(tool)
})

it('has only licences that permit the distribution of Cairn under its own', () => {
  // The Mozilla licence requires only the source of its own files, which are shipped unmodified.
  const permissive = ['MPL-2.0', 'MIT', 'ISC', '0BSD', 'BSD-2-CLAUSE', 'BSD-3-CLAUSE', 'APACHE-2.0', 'BLUEOAK-1.0.0', 'ZLIB', 'UNLICENSE', 'CC0-1.0']
  const table = notices().split('\n').filter(line => /^\| .* \| \d/.test(line))
  const others = table.filter(line => {
    const choices = line.split(' | ')[2]!.replace(/ \|$/, '').replace(/[()]/g, '').toUpperCase().split(' OR ')
    return !choices.some(choice => choice.split(' AND ').every(name => permissive.includes(name)))
  })
  expect(others).toEqual([])
})
