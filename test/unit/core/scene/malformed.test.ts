import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseScene } from '../../../../core/scene'
import { everything, small } from './arbitrary'
import { problemsOf } from './problems'

describe('malformed JSON is refused, with the place', () => {
  it.each([
    ['{\n  "format": "cairn-scene",\n  "version": 1,\n}', 'MalformedJson', 4, 1, /comma/],
    ['{"format": "cairn-scene" "version": 1}', 'MalformedJson', 1, 26, /Expected ","/],
    ['[1, 2', 'MalformedJson', 1, 6, /end of the text/],
    ['// a scene\n{}', 'MalformedJson', 1, 1, /no comments/],
    ["{'format': 1}", 'MalformedJson', 1, 2, /key in double quotes/],
    ['{"a": 01}', 'MalformedJson', 1, 8, /leading zero/],
    ['{"a": "x\ny"}', 'MalformedJson', 1, 9, /line end/],
    ['{"a": "\\x"}', 'MalformedJson', 1, 8, /escape/],
    ['', 'MalformedJson', 1, 1, /end of the text/],
    ['{} {}', 'MalformedJson', 1, 4, /after the end/],
    ['{"gravity": [0, 0,\n NaN]}', 'NotFinite', 2, 2, /NaN.*gravity\[2\]/],
    ['{"gravity": [0, -Infinity, 0]}', 'NotFinite', 1, 17, /gravity\[1\]/],
    ['{"bodies": [{"id": "a", "id": "b"}]}', 'DuplicateKey', 1, 25, /"id" is given twice.*bodies\[0\]\.id/],
    ['{"a": {"b": 1, "\\u0062": 2}}', 'DuplicateKey', 1, 16, /"b" is given twice/],
    ['{"__proto__": {}}', 'ForbiddenKey', 1, 2, /__proto__/],
    ['{"bodies": [{"constructor": 1}]}', 'ForbiddenKey', 1, 14, /constructor/],
    ['{"\\u005f_proto__": {}}', 'ForbiddenKey', 1, 2, /__proto__/],
    ['['.repeat(200_000), 'MalformedJson', 1, 200_001, /end of the text|Nested/],
  ])('%j', (text, name, line, column, message) => {
    const [found] = problemsOf(text)
    expect(found!.message).toMatch(message)
    if (text.length > 1000) return
    expect(found).toMatchObject({ name, line, column })
  })
  it('refuses nesting beyond the limit, however deep', () => {
    for (const depth of [17, 100, 100_000]) {
      const text = `{"format": "cairn-scene", "version": 1, "name": ${'['.repeat(depth)}${']'.repeat(depth)}}`
      expect(problemsOf(text)[0]).toMatchObject({ name: 'TooDeep' })
    }
  })
  it('accepts exactly what JSON.parse accepts, duplicate keys aside', () => {
    const alphabet = fc.array(fc.constantFrom('{', '}', '[', ']', ',', ':', '"a"', '"b"', '1', '-0.5e3', 'true', 'null', ' ', '\n', '"\\n"', '01', '-', '"'), { maxLength: 12 })
    fc.assert(fc.property(alphabet, parts => {
      const text = parts.join('')
      let valid = true
      try {
        JSON.parse(text)
      } catch {
        valid = false
      }
      const [found] = problemsOf(text)
      const malformed = found?.name === 'MalformedJson'
      if (found?.name === 'DuplicateKey') return
      expect(malformed).toBe(!valid)
      if (malformed) expect(found.line).toBeGreaterThan(0)
    }), { numRuns: 3000 })
  })
  it('refuses a file beyond 64 MiB before reading it', () => {
    expect(problemsOf('{'.repeat(64 * 1024 * 1024 + 1))[0]).toMatchObject({ name: 'TooLarge' })
  })
  it('a text with a byte order mark is read', () => {
    expect(problemsOf('\ufeff' + JSON.stringify(small()))).toEqual([])
  })
})

describe('a value that is not a scene of this version', () => {
  it.each([
    [{}, 'NotAScene', 'format'],
    [[], 'NotAScene', ''],
    [{ format: 'gltf', version: 1 }, 'NotAScene', 'format'],
    [{ format: 'cairn-scene' }, 'MissingKey', 'version'],
    [{ format: 'cairn-scene', version: 2 }, 'NewerVersion', 'version'],
    [{ format: 'cairn-scene', version: '1' }, 'UnknownVersion', 'version'],
    [{ format: 'cairn-scene', version: 0 }, 'UnknownVersion', 'version'],
  ])('%j is refused', (document, name, path) => {
    expect(problemsOf(document)).toMatchObject([{ name, path, severity: 'error' }])
  })
})

describe('limits', () => {
  it('10,000 bodies are allowed and 10,001 are not', () => {
    const bodies = (n: number) => ({ ...small(), bodies: Array.from({ length: n }, (_, i) => ({ id: `b${i}`, shapes: [{ type: 'sphere', radius: 1, material: 'steel' }] })) })
    expect(problemsOf(bodies(10_000))).toEqual([])
    expect(problemsOf(bodies(10_001))).toMatchObject([{ name: 'TooMany', path: 'bodies', value: 10_001 }])
  })
  it('a million vertices in total are allowed and one more is not', () => {
    const points = Array.from({ length: 500_000 }, (_, i) => [i, i % 7, i % 3])
    const hull = (list: number[][]) => ({ type: 'convexHull', points: list, material: 'steel' })
    const scene = (list: number[][]) => ({ ...small(), bodies: [{ id: 'a', shapes: [hull(points)] }, { id: 'b', shapes: [hull(list)] }] })
    expect(problemsOf(scene(points))).toEqual([])
    expect(problemsOf(scene([...points, [0, 0, 0]]))).toMatchObject([{ name: 'TooMany', value: 1_000_001 }])
  })
})

describe('values from outside', () => {
  it('with cycles, class instances or dangerous keys are refused', () => {
    const cyclic: Record<string, unknown> = { ...small() }
    cyclic.simulation = cyclic
    expect(problemsOf(cyclic)[0]).toMatchObject({ name: 'TooDeep' })
    expect(problemsOf({ ...small(), simulation: new Date(0) })[0]).toMatchObject({ name: 'WrongType', path: 'simulation' })
    expect(problemsOf({ ...small(), simulation: JSON.parse('{"__proto__": {"duration": 1}}') as object })[0]).toMatchObject({ name: 'ForbiddenKey' })
  })
  it('are not changed by being read', () => {
    const scene = everything()
    const frozen = (value: unknown): void => {
      if (typeof value !== 'object' || value === null) return
      Object.freeze(value)
      Object.values(value).forEach(frozen)
    }
    frozen(scene)
    expect(problemsOf(scene)).toEqual([])
  })
})

describe('objects with very many keys', () => {
  const keys = (count: number) => Array.from({ length: count }, (_, i) => `"k${i}":1`).join(',')

  it('are refused after the first thousand keys, with the place', () => {
    const parsed = parseScene(`{"format":"cairn-scene","version":1,${keys(3_000_000)}}`)
    expect(parsed).toMatchObject({ ok: false, problems: [{ name: 'TooMany', line: 1 }] })
    expect(parseScene(`{"format":"cairn-scene","version":1,"bodies":[{${keys(2000)}}]}`)).toMatchObject({ ok: false, problems: [{ name: 'TooMany' }] })
  })

  it('that are not JSON are refused too', () => {
    expect(parseScene(`{${keys(300_000)},"open`)).toMatchObject({ ok: false, problems: [{ name: 'TooMany' }] })
    expect(parseScene('{"open')).toMatchObject({ ok: false, problems: [{ name: 'MalformedJson' }] })
    expect(parseScene('{"open\\"')).toMatchObject({ ok: false, problems: [{ name: 'MalformedJson' }] })
  })

  it('within the limit are listed up to a hundred problems, and the rest counted', () => {
    const parsed = parseScene(`{"format":"cairn-scene","version":1,${keys(900)}}`)
    expect(!parsed.ok && parsed.problems).toHaveLength(101)
    expect(!parsed.ok && parsed.problems.at(-1)).toMatchObject({ name: 'TooManyProblems', message: 'There are 800 more problems' })
  })
})
