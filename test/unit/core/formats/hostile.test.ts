/** Malicious and faulty files are refused with a typed reason. */

import { describe, expect, it } from 'vitest'
import { completeOptions, formats, type FormatFile } from '../../../../core/formats'
import { FormatError } from '../../../../core/formats/shared/error'
import { isRemote, relativePath } from '../../../../core/formats/shared/paths'
import { readXml } from '../../../../core/formats/shared/read-xml'
import { decodeUtf8 } from '../../../../core/formats/shared/utf8'

async function refusal(name: string, content: string, found: Readonly<Record<string, string>> = {}): Promise<FormatError> {
  const file: FormatFile = { name, content }
  const importer = formats.find(format => format.importer?.recognises(file))!.importer!
  const asked: string[] = []
  const failure = await Promise.resolve().then(() => importer.run(file, path => {
    asked.push(path)
    return path in found ? { name: path, content: found[path]! } : null
  }, completeOptions(importer.options))).then(() => null, (error: unknown) => error)
  expect(failure).toBeInstanceOf(FormatError)
  return failure as FormatError
}

describe('untrusted XML', () => {
  it('has no document type, so that entities cannot expand', async () => {
    const bomb = '<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><robot name="x"><link name="&b;"/></robot>'
    expect((await refusal('bomb.urdf', bomb)).name).toBe('MalformedXml')
  })

  it('has a limited depth', () => {
    const deep = `${'<a>'.repeat(300)}${'</a>'.repeat(300)}`
    expect(() => readXml({ name: 'deep.xml', content: deep })).toThrow(/nested too deeply/)
  })

  it('is refused with the file and line of the problem', async () => {
    const error = await refusal('bad.urdf', '<robot name="x">\n<link name="a">\n</robot>')
    expect(error.path).toBe('bad.urdf:3')
  })

  it('is not confused by names of object properties', () => {
    const { root } = readXml({ name: 'x.xml', content: '<a __proto__="1" constructor="2"/>' })
    expect([...root.attributes.keys()]).toEqual(['__proto__', 'constructor'])
  })
})

describe('paths', () => {
  it('stay below the folder', () => {
    expect(relativePath('package://robot/meshes/a.stl', 'models')).toBe('robot/meshes/a.stl')
    expect(relativePath('../a.stl', 'models')).toBe('a.stl')
    for (const path of ['../a.stl', '/etc/passwd', 'C:\\x', 'a/../../b', 'package://../x', '', 'a\0b', 'file:///etc/passwd']) {
      expect(() => relativePath(path), path).toThrow(FormatError)
    }
  })

  it('on a network are recognised, and never requested', () => {
    expect(isRemote('https://example.org/a.dae')).toBe(true)
    expect(isRemote('package://a/b')).toBe(false)
  })

  it('of includes stay below it too', async () => {
    expect((await refusal('a.xml', '<mujoco><include file="../../secret.xml"/></mujoco>')).name).toBe('UnsafePath')
  })
})

describe('counts', () => {
  it('of circular includes', async () => {
    const error = await refusal('a.xml', '<mujoco><include file="b.xml"/></mujoco>', { 'b.xml': '<mujoco><include file="b.xml"/></mujoco>' })
    expect(['TooMany', 'TooDeep']).toContain(error.name)
  })

  it('of replicas inside replicas', async () => {
    const inner = '<replicate count="20000"><replicate count="20000"><body><geom size="1"/></body></replicate></replicate>'
    expect((await refusal('a.xml', `<mujoco><worldbody>${inner}</worldbody></mujoco>`)).name).toBe('TooMany')
    expect((await refusal('a.xml', '<mujoco><worldbody><replicate count="1e9"><body/></replicate></worldbody></mujoco>')).allowed).toMatch(/20000/)
  })
})

describe('trees', () => {
  it('with a missing link, with two parents, or in a circle', async () => {
    const link = (name: string) => `<link name="${name}"/>`
    const joint = (name: string, parent: string, child: string) => `<joint name="${name}" type="fixed"><parent link="${parent}"/><child link="${child}"/></joint>`
    const robot = (inner: string) => `<robot name="r">${inner}</robot>`
    expect((await refusal('r.urdf', robot(link('a') + joint('j', 'a', 'nobody')))).name).toBe('UnknownReference')
    expect((await refusal('r.urdf', robot(['a', 'b', 'c'].map(link).join('') + joint('j', 'a', 'c') + joint('k', 'b', 'c')))).name).toBe('DuplicateName')
    expect((await refusal('r.urdf', robot(link('a') + link('b') + joint('j', 'a', 'b') + joint('k', 'b', 'a')))).message).toMatch(/circle/)
  })
})

it('UTF-8 is decoded as by the platform', () => {
  const text = 'aé€😀\u0000z'
  expect(decodeUtf8(new TextEncoder().encode(text))).toBe(text)
  const broken = Uint8Array.of(0x61, 0xc0, 0xaf, 0xe2, 0x82, 0x62, 0xff, 0xed, 0xa0, 0x80)
  expect(decodeUtf8(broken)).toBe(new TextDecoder().decode(broken))
})
