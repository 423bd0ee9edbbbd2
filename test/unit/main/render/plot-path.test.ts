import { describe, expect, it } from 'vitest'
import { findBrowser } from '../../../../main/render/find-browser'
import { parsePlot, parsePlotPath } from '../../../../main/render/plot-path'

describe('a typed quantity', () => {
  it.each([
    ['energy.total', { what: 'energy', quantity: 'total' }],
    ['certificate.maxPenetration', { what: 'certificate', quantity: 'maxPenetration' }],
    ['bodies.box.position.z', { what: 'body', body: 'box', quantity: 'position', component: 'z' }],
    ['bodies.box.linearVelocity', { what: 'body', body: 'box', quantity: 'linearVelocity', component: 'magnitude' }],
    ['bodies.my.body.position.x', { what: 'body', body: 'my.body', quantity: 'position', component: 'x' }],
    ['pairs.box/ground.normalForce', { what: 'pair', bodyA: 'box', bodyB: 'ground', quantity: 'normalForce' }],
    ['joints.hinge-1.torque', { what: 'joint', joint: 'hinge-1', quantity: 'torque' }],
    ['script.my height', { what: 'script', name: 'my height' }],
  ])('%s', (path, request) => {
    expect(parsePlotPath(path)).toStrictEqual(request)
  })

  it.each(['', 'energy', 'energy.dark', 'bodies.box', 'bodies.position.z', 'pairs.box.normalForce', 'pairs.a/b/c.normalForce', 'joints.h.colour', 'script.', 'box.position.z'])('%j is refused', path => {
    expect(parsePlotPath(path)).toBeNull()
  })
})

describe('a typed plot', () => {
  it('has quantities separated by commas, formulas for text that is no path, and a quantity against which they are drawn', () => {
    expect(parsePlot('energy.total, max(energy.kinetic, 2)*[1, 2][0]')).toStrictEqual({
      title: 'energy.total, max(energy.kinetic, 2)*[1, 2][0]', against: null,
      requests: [{ what: 'energy', quantity: 'total' }, { what: 'formula', text: 'max(energy.kinetic, 2)*[1, 2][0]' }],
    })
    expect(parsePlot('joints.pin.velocity against joints.pin.position')).toStrictEqual({
      title: 'joints.pin.velocity', requests: [{ what: 'joint', joint: 'pin', quantity: 'velocity' }], against: { what: 'joint', joint: 'pin', quantity: 'position' },
    })
    expect(parsePlot('deformables.flag.worstStrain against time')).toStrictEqual({
      title: 'deformables.flag.worstStrain', requests: [{ what: 'deformable', deformable: 'flag', quantity: 'worstStrain' }], against: { what: 'formula', text: 'time' },
    })
  })
})

describe('the browser', () => {
  it('that is named comes first, and is not replaced if it is missing', () => {
    expect(findBrowser({ CAIRN_CHROMIUM: process.execPath })).toBe(process.execPath)
    expect(findBrowser({ CAIRN_CHROMIUM: '/nowhere/chromium' })).toBeNull()
  })
})
