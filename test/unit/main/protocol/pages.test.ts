import { describe, expect, it } from 'vitest'
import { contentPolicy, contentTypeOf, pageAt } from '../../../../main/protocol/pages'

describe('the file of a URL below the folder of pages', () => {
  it.each([['/', 'index.html'], ['/index.html', 'index.html'], ['/assets/a-b.js', 'assets/a-b.js'], ['/a%20b.css', 'a b.css']])(
    '%s is %s', (url, path) => expect(pageAt(url)).toBe(path),
  )

  it.each([
    '/../secret', '/assets/../../secret', '/%2e%2e/secret', '/assets/%2e%2e%2f%2e%2e%2fsecret', '/..%5csecret', '/a\\b', '/C:/secret', '/%00', '/a//b',
    '/.env', '/assets/.git/config', '//host/share', '', 'index.html', '/%', '/assets/', '/%zz',
  ])('%j is no file', url => {
    expect(pageAt(url)).toBeNull()
  })
})

it('knows the types of all built files', () => {
  expect(contentTypeOf('assets/index-AbC.js')).toBe('text/javascript; charset=utf-8')
  expect(contentTypeOf('codicon.ttf')).toBe('font/ttf')
  expect(contentTypeOf('unknown.xyz')).toBe('application/octet-stream')
})

it('allows no inline script, no eval and no other origin', () => {
  expect(contentPolicy).toContain("default-src 'none'")
  expect(contentPolicy).toContain("script-src 'self' 'wasm-unsafe-eval';")
  expect(contentPolicy).not.toMatch(/https?:|\*|script-src[^;]*'unsafe-(inline|eval)'/)
})
