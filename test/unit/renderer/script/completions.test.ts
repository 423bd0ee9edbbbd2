import { describe, expect, it } from 'vitest'
import { scriptCompletions } from '../../../../renderer/script/completions'

const scene = { format: 'cairn-scene' as const, version: 1 as const, bodies: [{ id: 'ground', type: 'fixed' as const }, { id: 'bob', name: 'Bob' }] }
const kinds = { Value: 1, Snippet: 2 }

describe('completion in scripts', () => {
  it('offers the bodies of the scene inside ctx.body', () => {
    expect(scriptCompletions("  const b = ctx.body('", scene, kinds).map(one => one.label)).toEqual(['ground', 'bob'])
    expect(scriptCompletions("  const b = ctx.body('bo", scene, kinds)[1]!.detail).toBe('Bob, dynamic body')
  })

  it('offers snippets at the beginning of a line, with a body that moves', () => {
    const snippets = scriptCompletions('  pu', scene, kinds)
    expect(snippets.find(one => one.label === 'push')!.insertText).toContain('bob')
    expect(snippets.every(one => one.snippet)).toBe(true)
  })

  it('offers nothing elsewhere', () => {
    expect(scriptCompletions('const x = 2 + y', scene, kinds)).toEqual([])
  })
})
