import { describe, expect, it } from 'vitest'
import { migrate, type Migration } from '../../../../core/scene'

const steps = new Map<number, Migration>([
  [1, document => ({ ...document, gravity: [0, 0, document.g] })],
  [2, document => ({ ...document, renamed: true })],
])

describe('a document of an older version', () => {
  it('is migrated step by step to the current version', () => {
    const old = Object.freeze({ format: 'cairn-scene', version: 1, g: -9.81 })
    expect(migrate(old, steps, 3)).toEqual({
      ok: true, from: 1, document: { format: 'cairn-scene', version: 3, g: -9.81, gravity: [0, 0, -9.81], renamed: true },
    })
    expect(migrate({ ...old, version: 2 }, steps, 3)).toMatchObject({ ok: true, from: 2, document: { version: 3, renamed: true } })
  })
  it('of the current version is returned as the same object', () => {
    const document = { format: 'cairn-scene', version: 3 }
    const result = migrate(document, steps, 3)
    expect(result.ok && result.document).toBe(document)
  })
})

describe('a document of a newer version', () => {
  it('is refused, with the versions that can be read', () => {
    expect(migrate({ format: 'cairn-scene', version: 4 }, steps, 3)).toMatchObject({
      ok: false, problem: { name: 'NewerVersion', path: 'version', value: 4, allowed: '1 to 3', message: expect.stringContaining('newer Cairn') },
    })
  })
})

describe('a document of a version that is no longer supported', () => {
  it('is refused', () => {
    expect(migrate({ format: 'cairn-scene', version: 1 }, new Map([[2, steps.get(2)!]]), 3)).toMatchObject({ ok: false, problem: { name: 'UnknownVersion' } })
  })
})
