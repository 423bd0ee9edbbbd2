import { readFileSync } from 'node:fs'
import ts from 'typescript'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { SCRIPT_BODY_STRIDE, ScriptError, type ControlAnswer, type ControlInputs, type ScriptRuntime } from '../../../../core/dynamics/script-runtime'
import { createScriptRuntime } from '../../../../main/run/sandbox'

let runtime: ScriptRuntime
beforeEach(async () => {
  runtime = await createScriptRuntime()
})
afterEach(() => runtime.dispose())

const sight: ControlInputs = {
  joints: [{ id: 'knee', positions: [0.5], velocities: [-2], force: [1, 2, 3], torque: [0, 0, 4], motorForce: 5 }],
  contacts: [{ bodyA: 'cart', bodyB: 'floor', point: [0, 0, 0], normal: [0, 0, 1], normalForce: 9, force: [1, 0, 9], mode: 'sliding' }],
  sensors: [{ id: 'feel', specificForce: [0, 0, 9.81], angularRate: [0, 0, 0] }],
}
const state = new Float64Array(SCRIPT_BODY_STRIDE)
state.set([1, 2, 3, 0, 0, 0, 1, 4, 5, 6, 0, 0, 2, 2, 2, 3, 7, 1])

const source = (statements: string, before = '') => `export const period = 0.01\n${before}\nexport function control(ctx: ControlContext) { ${statements} }`

function answer(text: string, own: string | null = null, time = 0.25): ControlAnswer {
  return runtime.load('control.ts', text, ['cart'], 1).controller!.act(time, state, sight, own)
}

function failure(action: () => unknown): ScriptError {
  try {
    action()
  } catch (error) {
    expect(error).toBeInstanceOf(ScriptError)
    return error as ScriptError
  }
  throw new Error('nothing was thrown')
}

describe('a controller', () => {
  it('sees joints, contacts and bodies, and answers with forces and commands', () => {
    const { wrenches, commands, output } = answer(source(`
      const knee = ctx.joint('knee'), [touch] = ctx.contacts
      ctx.body('cart').applyForce([knee.position, knee.velocity, touch.force[2]])
      knee.setTargetVelocity(3, 7)
      knee.setForce(knee.torque[2])
      knee.setTargetPosition(1, { stiffness: 100, damping: 2 })
      knee.release()
      ctx.body('cart').applyTorque(ctx.sensor('feel').specificForce)
      ctx.plot('f', knee.motorForce)
      ctx.log(touch.mode)`))
    expect(wrenches).toEqual([0.5, -2, 9, 0, 0, 9.81])
    const knee = { joint: 'knee', coordinate: 0 }
    expect(commands).toEqual([
      { ...knee, kind: 'velocity', target: 3, limit: 7 }, { ...knee, kind: 'force', force: 4 },
      { ...knee, kind: 'position', target: 1, velocity: 0, stiffness: 100, damping: 2, limit: null }, { ...knee, kind: 'release' },
    ])
    expect(output).toEqual({ plots: [{ name: 'f', value: 5 }], logs: ['sliding'] })
  })

  it('starts with its exported state, and continues with the state that it kept as text', () => {
    const text = source('ctx.state.sum += ctx.joint("knee").position; ctx.state.list.push(ctx.time)', 'export const state = { sum: 1, list: [] as number[] }')
    const first = answer(text)
    expect(JSON.parse(first.own)).toEqual({ sum: 1.5, list: [0.25] })
    expect(JSON.parse(answer(text, first.own, 0.26).own)).toEqual({ sum: 2, list: [0.25, 0.26] })
  })

  it('may compute forces too', () => {
    const { computes, controller } = runtime.load('control.ts', source(''), ['cart'], 1)
    expect([computes, controller?.period]).toEqual([false, 0.01])
    expect(runtime.load('both.ts', `${source('')}\nexport default function (ctx: ForceContext) {}`, ['cart'], 1)).toMatchObject({ computes: true })
    expect(runtime.load('force.ts', 'export default function (ctx: ForceContext) {}', ['cart'], 1).controller).toBeNull()
  })

  it('offers exactly the members of its type file', () => {
    const file = ts.createSourceFile('t.d.ts', readFileSync('main/protocol/script-types.d.ts', 'utf8'), ts.ScriptTarget.ESNext)
    const members = (name: string) => file.statements.flatMap(statement =>
      (ts.isInterfaceDeclaration(statement) && statement.name.text === name
        ? statement.members.map(member => (member.name as ts.Identifier).text) : [])).sort().join()
    const { output } = answer(source('for (const it of [ctx, ctx.joint("knee"), ctx.contacts[0], ctx.body("cart")]) ctx.log(Object.keys(it).sort().join())'))
    expect(output.logs).toEqual(['ControlContext', 'ControlJoint', 'ControlContact', 'ForceBody'].map(members))
  })
})

describe('what a controller may not do', () => {
  it.each([
    ['no period', 'export function control(ctx: ControlContext) {}', 'period', 'compile'],
    ['a period of nothing', 'export const period = 0\nexport function control(ctx: ControlContext) {}', '0.0001', 'compile'],
    ['a joint that is not there', source('ctx.joint("hip")'), 'there is no joint "hip", there are knee', 'throw'],
    ['a sensor that is not there', source('ctx.sensor("eye")'), 'there is no sensor "eye"', 'throw'],
    ['a second coordinate of a hinge', source('ctx.joint("knee").setForce(1, 1)'), 'there is no 1', 'throw'],
    ['a force that is none', source('ctx.joint("knee").setForce(NaN)'), 'NaN', 'value'],
    ['a negative stiffness', source('ctx.joint("knee").setTargetPosition(0, { stiffness: -1, damping: 0 })'), '≥ 0', 'value'],
    ['a state that is no data', source('ctx.state.f = () => 1'), 'ctx.state.f is function', 'value'],
    ['a state that is no number', source('ctx.state.deep = [1, NaN]'), 'ctx.state.deep.1 is NaN', 'value'],
    ['a state without end', source('ctx.state.s = "x".repeat(70000)'), '65536', 'throw'],
    ['a loop without end', source('while (true) {}'), 'too long', 'budget'],
    ['a memory of its own', source('ctx.plot("n", count())', 'const count = (() => { let n = 0; return () => ++n })()'), 'ctx.state', 'value'],
    ['a change of a module variable', source('own.n++', 'const own = { n: 0 }'), '', 'throw'],
  ])('%s', (_name, text, message, fault) => {
    const error = failure(() => answer(text))
    expect(error).toMatchObject({ script: 'control.ts', fault })
    expect(error.message).toContain(message)
  })

  it('is reported with its line', () => {
    expect(failure(() => answer(source('\n  ctx.joint("hip")')))).toMatchObject({ line: 4, column: 12 })
  })
})
