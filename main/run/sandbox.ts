/**
 * Runs scripts in QuickJS, compiled to WebAssembly with separate memory: no I/O, no clock, no randomness except `ctx.random`, bounded memory, and a
 * budget counted in steps of the interpreter, so that a script stops at the same place on every machine. (A watchdog outside measures wall-clock
 * time: some built-in functions can take long without counting.)
 */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import variant from '@jitl/quickjs-wasmfile-release-sync'
import { newQuickJSWASMModuleFromVariant, newVariant, type QuickJSContext, type QuickJSHandle, type QuickJSWASMModule } from 'quickjs-emscripten-core'
import {
  NO_PARAMETERS, SCRIPT_BODY_STRIDE, SCRIPT_WRENCH_STRIDE, ScriptError, type ControlAnswer, type ControlInputs, type LoadedScript, type ScriptController,
  type ScriptOutput, type ScriptParameters, type ScriptRuntime,
} from '../../core/dynamics/script-runtime'
import guestSource from './guest.js?raw'
import { calledAt, compileScript, stateExport } from './script-source'

/** 64 KiB pages: 16 MiB initially (required by the module), at most 64 MiB, including the interpreter's own. */
const initialPages = 256
const maxPages = 1024
const pageBytes = 65536
/** Share of the memory above which it counts as exhausted: it grows in large steps, the last of which is refused. */
const nearlyAll = 0.9
/** Bytes; above 256 KiB the interpreter would overflow WebAssembly's own stack. */
const stackBytes = 256 * 1024
/** The interpreter calls its interrupt handler about every 10,000 jumps and calls. */
const loadBudget = 2000
const callBudget = 500
/** One call in this many is repeated, to detect scripts with hidden state. */
const repeatEvery = 64

/** Maximum size of a controller's state, characters of JSON. */
const maxState = 65536
/** s */
const leastPeriod = 1e-4

const guestFile = 'cairn:guest'

/** Doubles before the state in the shared memory: time and status. */
const headerLength = 2

export interface SandboxOptions {
  /** Index 0 counts entries and exits, so it is odd while a script runs; read by the watchdog. */
  readonly activity?: Int32Array
}

/** Loads the interpreter once per run; `load` and `evaluate` are then synchronous. */
export async function createScriptRuntime(options: SandboxOptions = {}): Promise<ScriptRuntime> {
  const wasmFile = createRequire(import.meta.url).resolve('@jitl/quickjs-wasmfile-release-sync/wasm')
  const wasmModule = await WebAssembly.compile(readFileSync(wasmFile))
  const memory = new WebAssembly.Memory({ initial: initialPages, maximum: maxPages })
  const quickjs = await newQuickJSWASMModuleFromVariant(newVariant(variant, { wasmModule, wasmMemory: memory }))
  return {
    load: (id, source, bodyIds, seed, parameters = NO_PARAMETERS) => {
      const sandbox = new Sandbox(quickjs, memory, id, parameters, options.activity)
      sandbox.load(source, bodyIds, seed)
      return sandbox
    },
    // The interpreter with its memory and everything created by scripts is one WebAssembly instance, which is garbage-collected.
    dispose: () => undefined,
  }
}

class Sandbox implements LoadedScript {
  breakpoints: readonly number[] = []
  computes = true
  controller: ScriptController | null = null
  private readonly context: QuickJSContext
  private readonly activity: Int32Array
  private face: { run: QuickJSHandle; fault: QuickJSHandle; describe: QuickJSHandle; output: QuickJSHandle; control: QuickJSHandle } | undefined
  private interrupts = 0
  private budget = loadBudget
  private calls = 0
  private lines: readonly string[] = []
  private bodies = 0
  private address = 0
  private view = new Float64Array(0)

  constructor(
    quickjs: QuickJSWASMModule,
    private readonly memory: WebAssembly.Memory,
    readonly id: string,
    private readonly parameters: ScriptParameters,
    activity: Int32Array | undefined,
  ) {
    this.activity = activity ?? new Int32Array(1)
    const runtime = quickjs.newRuntime({ maxStackSizeBytes: stackBytes, interruptHandler: () => ++this.interrupts > this.budget })
    this.context = runtime.newContext({
      intrinsics: {
        BaseObjects: true, Eval: true, StringNormalize: true, RegExp: true, JSON: true, Proxy: true, MapSet: true, TypedArrays: true,
        Promise: true, Date: false, BigInt: false,
      },
    })
  }

  load(source: string, bodyIds: readonly string[], seed: number): void {
    const code = compileScript(this.id, source)
    this.lines = source.split(/\r\n|[\n\r\u2028\u2029]/)
    this.bodies = bodyIds.length
    const adopt = this.build(bodyIds, seed)
    const module = this.guarded(loadBudget, () => this.context.evalCode(code, this.id, { type: 'module' }))
    if (module.error) throw this.errorOf(module.error, 'throw')
    const stateName = this.context.newString(stateExport)
    const times = this.guarded(loadBudget, () => this.context.callFunction(adopt, this.context.undefined, module.value, stateName))
    if (times.error) throw this.errorOf(times.error, 'compile')
    const answer = this.context.getString(times.value)
    if (this.memoryView()[1] !== 0) throw this.described(answer, 'compile')
    const { breakpoints, computes, period } = JSON.parse(answer) as { breakpoints: number[]; computes: boolean; period: number | null }
    this.breakpoints = breakpoints.sort((a, b) => a - b)
    this.computes = computes
    if (period !== null) this.controller = { period, act: (time, state, sight, own) => this.control(time, state, sight, own) }
    for (const handle of [times.value, stateName, module.value, adopt]) handle.dispose()
  }

  evaluate(time: number, state: Float64Array, wrenches: Float64Array): void {
    const repeat = this.calls++ % repeatEvery === 0
    this.call(time, state, wrenches)
    if (!repeat) return
    const again = new Float64Array(wrenches.length)
    this.call(time, state, again)
    if (again.every((value, i) => Object.is(value, wrenches[i]))) return
    throw this.error('Two calls at the same time and state gave different forces: the script remembers something between calls.', 'value')
  }

  output(): ScriptOutput {
    const result = this.guarded(callBudget, () => this.context.callFunction(this.face!.output, this.context.undefined))
    if (result.error) throw this.errorOf(result.error, 'memory')
    return outputOf(JSON.parse(result.value.consume(handle => this.context.getString(handle))) as Answer)
  }

  private control(time: number, state: Float64Array, sight: ControlInputs, own: string | null): ControlAnswer {
    const repeat = this.calls++ % repeatEvery === 0
    const given = JSON.stringify({ own, ...sight })
    const wrenches = new Float64Array(this.bodies * SCRIPT_WRENCH_STRIDE)
    const text = this.callControl(time, state, given, wrenches)
    if (repeat) {
      const again = new Float64Array(wrenches.length)
      if (this.callControl(time, state, given, again) !== text || !again.every((value, i) => Object.is(value, wrenches[i]))) {
        throw this.error('Two calls with the same state gave different answers: the controller remembers something beside ctx.state.', 'value')
      }
    }
    const { own: kept, commands, plots, logs } = JSON.parse(text) as Answer & Pick<ControlAnswer, 'own' | 'commands'>
    return { own: kept, commands, wrenches: [...wrenches], output: outputOf({ plots, logs }) }
  }

  private callControl(time: number, state: Float64Array, given: string, wrenches: Float64Array): string {
    this.begin(time, state)
    const handle = this.context.newString(given)
    const result = this.guarded(callBudget, () => this.context.callFunction(this.face!.control, this.context.undefined, handle))
    handle.dispose()
    if (result.error) throw this.errorOf(result.error, 'throw')
    const text = result.value.consume(answer => this.context.getString(answer))
    this.finish(wrenches)
    return text
  }

  private call(time: number, state: Float64Array, wrenches: Float64Array): void {
    this.begin(time, state)
    const result = this.guarded(callBudget, () => this.context.callFunction(this.face!.run, this.context.undefined))
    if (result.error) throw this.errorOf(result.error, 'throw')
    result.value.dispose()
    this.finish(wrenches)
  }

  /** Writes the state to the shared memory. */
  private begin(time: number, state: Float64Array): void {
    const view = this.memoryView()
    view[0] = time
    view[1] = 0
    view.set(state, headerLength)
    view.fill(0, headerLength + this.bodies * SCRIPT_BODY_STRIDE)
    view.set(this.parameters.at(time), this.doubles() - this.parameters.ids.length)
  }

  /** @throws ScriptError if the script failed or its forces are not finite */
  private finish(wrenches: Float64Array): void {
    const start = headerLength + this.bodies * SCRIPT_BODY_STRIDE
    const after = this.memoryView()
    if (after[1] !== 0) throw this.described(this.faultText(), 'throw')
    for (let i = 0; i < this.bodies * SCRIPT_WRENCH_STRIDE; i++) {
      const value = after[start + i]!
      if (!Number.isFinite(value)) throw this.error(`The force or torque on body ${Math.floor(i / SCRIPT_WRENCH_STRIDE)} is ${value}.`, 'value')
      wrenches[i] = value
    }
  }

  private faultText(): string {
    const result = this.context.callFunction(this.face!.fault, this.context.undefined)
    return this.own(result).consume(handle => this.context.getString(handle))
  }

  /** Creates the context and finds the shared memory; returns the function that loads the module. */
  private build(bodyIds: readonly string[], seed: number): QuickJSHandle {
    const { context } = this
    const doubles = this.doubles()
    const marker = crypto.getRandomValues(new Uint8Array(Math.max(32, doubles * 8)).subarray(0, 32))
    const content = new Uint8Array(marker.buffer)
    const buffer = context.newArrayBuffer(content.buffer)
    this.address = addressOf(this.memory, marker)
    this.view = new Float64Array(this.memory.buffer, this.address, doubles)
    this.view.fill(0)
    const layout = context.newString(JSON.stringify({
      bodyIds, parameterIds: this.parameters.ids, seed, bodyStride: SCRIPT_BODY_STRIDE, wrenchStride: SCRIPT_WRENCH_STRIDE, maxPlots: 64, maxLogs: 100,
      maxText: 1000, maxState, leastPeriod,
    }))
    const build = this.own(context.evalCode(guestSource, guestFile))
    const face = this.own(this.guarded(loadBudget, () => context.callFunction(build, context.undefined, layout, buffer)))
    const part = (name: string) => context.getProp(face, name)
    this.face = { run: part('run'), fault: part('fault'), describe: part('describe'), output: part('output'), control: part('control') }
    const adopt = part('adopt')
    for (const handle of [buffer, layout, build, face]) handle.dispose()
    return adopt
  }

  /** Result of our own code inside the interpreter, which does not fail. */
  private own(result: { value: QuickJSHandle; error?: undefined } | { error: QuickJSHandle }): QuickJSHandle {
    if (result.error === undefined) return result.value
    throw new Error(`The sandbox could not be built: ${JSON.stringify(this.context.dump(result.error))}`)
  }

  /** The shared memory. WebAssembly replaces its buffer whenever it grows. */
  private memoryView(): Float64Array {
    const { buffer } = this.memory
    if (this.view.buffer !== buffer) this.view = new Float64Array(buffer, this.address, this.doubles())
    return this.view
  }

  private doubles(): number {
    return headerLength + this.bodies * (SCRIPT_BODY_STRIDE + SCRIPT_WRENCH_STRIDE) + this.parameters.ids.length
  }

  private guarded<T>(budget: number, action: () => T): T {
    this.interrupts = 0
    this.budget = budget
    Atomics.add(this.activity, 0, 1)
    try {
      return action()
    } catch (error) {
      // The interpreter itself throws here only if its memory is exhausted.
      throw this.error(`The script's memory is exhausted (${(error as Error).message}).`, 'memory')
    } finally {
      Atomics.add(this.activity, 0, 1)
    }
  }

  /** For errors that the script's `catch` does not see: exhausted budget or memory, or an exception while the module is loaded. */
  private errorOf(handle: QuickJSHandle, fault: ScriptError['fault']): ScriptError {
    const overBudget = this.interrupts > this.budget
    const result = this.guarded(callBudget, () => this.context.callFunction(this.face!.describe, this.context.undefined, handle))
    if (result.error) return this.error(overBudget ? budgetMessage : 'The script ran out of memory.', overBudget ? 'budget' : 'memory')
    const text = result.value.consume(value => this.context.getString(value))
    return overBudget ? this.described(text, 'budget') : this.described(text, fault)
  }

  private described(text: string, fault: ScriptError['fault']): ScriptError {
    const { name, message, stack, valueFault } = JSON.parse(text) as { name: string; message: string; stack: string; valueFault: boolean }
    const [line, column] = this.placeIn(stack)
    if (fault === 'budget') return new ScriptError(budgetMessage, this.id, line, column, 'budget')
    if (name === 'InternalError' && message === 'interrupted') return new ScriptError(budgetMessage, this.id, line, column, 'budget')
    if (name === 'InternalError' && /out of memory|too long|stack overflow/.test(message)) {
      const explanation = message === 'stack overflow' ? 'The script calls itself without end.' : 'The script ran out of memory.'
      return new ScriptError(explanation, this.id, line, column, message === 'stack overflow' ? 'budget' : 'memory')
    }
    if (message === 'null' && name === '' && this.memory.buffer.byteLength >= nearlyAll * maxPages * pageBytes) {
      // Without memory for an error object, the interpreter throws null.
      return new ScriptError('The script ran out of memory.', this.id, line, column, 'memory')
    }
    const told = message === 'not a function' ? `${calledAt(this.lines[line - 1], column)}${message}` : message
    const explanation = name === '' || name === 'TypeError' ? told : `${name}: ${told}`
    return new ScriptError(explanation || 'Something without a message was thrown.', this.id, line, column, valueFault ? 'value' : fault)
  }

  /** The innermost position of a stack trace that is in the script itself. */
  private placeIn(stack: string): [number, number] {
    for (const [, file, line, column] of stack.matchAll(/(?:\(|at )([^\s()]+):(\d+):(\d+)\)?$/gm)) {
      if (file === this.id && Number(line) <= this.lines.length) return [Number(line), Number(column)]
    }
    return [0, 0]
  }

  private error(message: string, fault: ScriptError['fault']): ScriptError {
    return new ScriptError(message, this.id, 0, 0, fault)
  }
}

/** As encoded by the interpreter's side: non-finite numbers are texts. */
interface Answer {
  readonly plots: readonly { readonly name: string; readonly value: number | string }[]
  readonly logs: readonly string[]
}

const outputOf = ({ plots, logs }: Answer): ScriptOutput => ({ plots: plots.map(({ name, value }) => ({ name, value: Number(value) })), logs })

const budgetMessage = 'The script takes too long: it was stopped in this call.'

/** Address of the bytes with this marker; QuickJS never moves an array buffer. */
function addressOf(memory: WebAssembly.Memory, marker: Uint8Array): number {
  const address = Buffer.from(memory.buffer).indexOf(marker)
  if (address < 0 || address % 8 !== 0) throw new Error('The sandbox\'s memory was not found.')
  return address
}
