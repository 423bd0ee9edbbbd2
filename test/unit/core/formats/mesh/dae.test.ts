import { describe, expect, it } from 'vitest'
import { readMesh } from '../../../../../core/formats/mesh'

const file = (up: string, meter: string, list: string): Uint8Array => new TextEncoder().encode(`<?xml version="1.0"?>
<COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1">
  <asset><unit meter="${meter}"/><up_axis>${up}</up_axis></asset>
  <library_geometries><geometry id="g"><mesh>
    <source id="p"><float_array id="pa" count="12">0 0 0 1 0 0 0 1 0 0 0 1</float_array>
      <technique_common><accessor source="#pa" count="4" stride="3"/></technique_common></source>
    <vertices id="v"><input semantic="POSITION" source="#p"/></vertices>${list}
  </mesh></geometry></library_geometries>
  <library_visual_scenes><visual_scene id="s"><node><translate>0 0 2</translate><rotate>0 0 1 90</rotate><instance_geometry url="#g"/></node></visual_scene></library_visual_scenes>
  <scene><instance_visual_scene url="#s"/></scene>
</COLLADA>`)

const triangles = '<triangles count="4"><input semantic="VERTEX" source="#v" offset="0"/><input semantic="NORMAL" source="#p" offset="1"/>'
  + '<p>0 0 2 0 1 0 0 0 1 0 3 0 0 0 3 0 2 0 1 0 2 0 3 0</p></triangles>'
const polylist = '<polylist count="4"><input semantic="VERTEX" source="#v" offset="0"/><vcount>3 3 3 3</vcount><p>0 2 1 0 1 3 0 3 2 1 2 3</p></polylist>'

describe('COLLADA', () => {
  it.each([['triangles', triangles], ['polylist', polylist]])('%s: placed by the scene, in metres and z up', async (_, list) => {
    const { vertices, faces } = await readMesh('a.dae', file('Z_UP', '0.1', list))
    expect(faces).toEqual([[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]])
    const expected = [[0, 0, 0.2], [0, 0.1, 0.2], [-0.1, 0, 0.2], [0, 0, 0.3]]
    vertices.forEach((vertex, i) => vertex.forEach((value, k) => expect(value).toBeCloseTo(expected[i]![k]!, 12)))
  })

  it('y up is converted to z up', async () => {
    const { vertices } = await readMesh('a.dae', file('Y_UP', '1', triangles))
    // (0, 0, 1) in the geometry is (0, 0, 3) in its scene, and y up turns z to −y.
    expect(vertices[3]!.map(value => Math.round(value * 1e9) / 1e9 + 0)).toEqual([0, -3, 0])
  })

  it('unknown names and wrong counts are refused with element and line', async () => {
    await expect(readMesh('a.dae', file('Z_UP', '1', triangles.replace('0 0 2 0', '9 0 2 0')))).rejects.toThrow(/triangles, file:\d+.*refers to a vertex/)
    await expect(readMesh('a.dae', file('Z_UP', '1', polylist.replace('3 3 3 3', '3 3 3 30')))).rejects.toThrow(/30 corners/)
    await expect(readMesh('a.dae', file('Z_UP', '1', triangles.replace('#v', '#nobody')))).rejects.toThrow(/positions are missing/)
    await expect(readMesh('a.dae', new TextEncoder().encode('<COLLADA/>'))).rejects.toThrow(/no faces/)
  })
})
