import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const script = fileURLToPath(new URL('../../../bin/package.js', import.meta.url))
const asked = (homepage: string | undefined, ...options: string[]) => {
  const { CAIRN_HOMEPAGE: _, ...environment } = process.env
  return spawnSync(process.execPath, [script, ...options], { encoding: 'utf8', env: { ...environment, ...homepage === undefined ? {} : { CAIRN_HOMEPAGE: homepage } } })
}

it.each<[string, string | undefined, string]>([
  ['without one', undefined, 'A Debian package names the project\'s page.'], ['with what is none', 'our page', '"our page" is not an address'],
])('a Debian package needs the address of the project\'s page: %s it is refused before anything is built', (_, homepage, told) => {
  const { status, stderr } = asked(homepage, '--linux', 'deb')
  expect(status).toBe(2)
  expect(stderr).toContain(told)
  expect(stderr).toContain('CAIRN_HOMEPAGE')
})
