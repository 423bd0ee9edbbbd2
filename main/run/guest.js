// Runs inside QuickJS before a script is loaded: removes non-repeatable functions, freezes the rest, and builds the
// script's context. It is one expression, a function of the layout. The script can access only the context.
(function build(layoutText, buffer) {
  'use strict'

  const { bodyIds, parameterIds, seed, bodyStride, wrenchStride, maxPlots, maxLogs, maxText, maxState, leastPeriod } = JSON.parse(layoutText)
  const memory = new Float64Array(buffer)
  const timeAt = 0
  const statusAt = 1
  const stateAt = 2
  const wrenchAt = stateAt + bodyIds.length * bodyStride
  const parameterAt = wrenchAt + bodyIds.length * wrenchStride
  const timeBits = new Uint32Array(new Float64Array(1).buffer)
  const timeValue = new Float64Array(timeBits.buffer)

  const { freeze, getOwnPropertyNames, getOwnPropertySymbols, getOwnPropertyDescriptor, getPrototypeOf, defineProperty } = Object
  const { isFinite } = Number
  const { isArray } = Array
  const { imul, floor } = Math
  const { isView } = ArrayBuffer
  const stringify = JSON.stringify
  const parse = JSON.parse
  const makeText = String
  const codeUnitAt = Function.prototype.call.bind(String.prototype.charCodeAt)
  const push = Function.prototype.call.bind(Array.prototype.push)
  const lookUp = Function.prototype.call.bind(Map.prototype.get)
  const remember = Function.prototype.call.bind(WeakSet.prototype.add)
  const remembers = Function.prototype.call.bind(WeakSet.prototype.has)
  const Failure = TypeError
  const plainPrototype = Object.prototype

  const seen = new WeakSet()

  /** Freezes every reachable object. Numbers in typed arrays cannot be frozen, so typed arrays may not be kept. */
  function freezeAll(root) {
    const waiting = [root]
    for (let next = 0; next < waiting.length; next++) {
      const value = waiting[next]
      if ((typeof value !== 'object' && typeof value !== 'function') || value === null || remembers(seen, value)) continue
      if (isView(value)) throw new Failure('a typed array cannot be kept between calls: keep the numbers in an array')
      remember(seen, value)
      freeze(value)
      push(waiting, getPrototypeOf(value))
      for (const key of [...getOwnPropertyNames(value), ...getOwnPropertySymbols(value)]) {
        const property = getOwnPropertyDescriptor(value, key)
        push(waiting, property.value)
        push(waiting, property.get)
        push(waiting, property.set)
      }
      if (value instanceof Map) value.forEach((element, key) => push(waiting, element, key))
      if (value instanceof Set) value.forEach(element => push(waiting, element))
    }
  }

  /** Maps and sets cannot be frozen themselves: their methods check whether the object is frozen. */
  function guardCollections() {
    const guarded = [[Map, ['set', 'delete', 'clear']], [Set, ['add', 'delete', 'clear']], [WeakMap, ['set', 'delete']], [WeakSet, ['add', 'delete']]]
    for (const [type, names] of guarded) {
      for (const name of names) {
        const original = Function.prototype.call.bind(type.prototype[name])
        const method = {
          [name](...values) {
            if (remembers(seen, this)) throw new Failure('what a script keeps between calls is frozen: forces may depend on time and state alone')
            return original(this, ...values)
          },
        }[name]
        defineProperty(type.prototype, name, { value: method, writable: true, configurable: true, enumerable: false })
      }
    }
  }

  function takeAway() {
    const unrepeatable = [
      'DataView', 'SharedArrayBuffer', 'Atomics', 'Uint8ClampedArray', 'Int8Array', 'Uint8Array', 'Int16Array', 'Uint16Array', 'Int32Array',
      'Uint32Array', 'BigInt64Array', 'BigUint64Array', 'Float16Array', 'Float32Array', 'Date', 'WeakRef', 'FinalizationRegistry',
      'performance', 'queueMicrotask', 'eval', 'Promise', 'Proxy', 'Function',
    ]
    const functionKinds = [
      function () { return undefined }, function* () { yield 0 }, async function () { return undefined }, async function* () { yield 0 },
    ]
    for (const kind of functionKinds) defineProperty(getPrototypeOf(kind), 'constructor', { value: undefined, writable: false, configurable: false })
    for (const name of unrepeatable) delete globalThis[name]
    Math.random = function random() {
      throw new Failure('Math.random is not repeatable: use ctx.random(key)')
    }
  }

  const isVector = value => isArray(value) && value.length === 3 && isFinite(value[0]) && isFinite(value[1]) && isFinite(value[2])

  let valueFault = false
  function requireVector(value, method, name) {
    if (isVector(value)) return value
    valueFault = true
    let shown
    try {
      shown = isArray(value) ? `[${value}]` : makeText(value)
    } catch {
      shown = typeof value
    }
    throw new Failure(`${method}: ${name} is ${shown}, allowed are three finite numbers`)
  }

  function viewOf(id, index) {
    const at = stateAt + index * bodyStride
    const wrench = wrenchAt + index * wrenchStride
    const three = offset => [memory[at + offset], memory[at + offset + 1], memory[at + offset + 2]]
    return freeze({
      id,
      get exists() { return memory[at + 17] !== 0 },
      get position() { return three(0) },
      get orientation() { return [memory[at + 3], memory[at + 4], memory[at + 5], memory[at + 6]] },
      get linearVelocity() { return three(7) },
      get angularVelocity() { return three(10) },
      get centerOfMass() { return three(13) },
      get mass() { return memory[at + 16] },
      velocityAt(point) {
        requireVector(point, 'velocityAt', 'the point')
        const x = point[0] - memory[at + 13]
        const y = point[1] - memory[at + 14]
        const z = point[2] - memory[at + 15]
        const wx = memory[at + 10]
        const wy = memory[at + 11]
        const wz = memory[at + 12]
        return [memory[at + 7] + wy * z - wz * y, memory[at + 8] + wz * x - wx * z, memory[at + 9] + wx * y - wy * x]
      },
      applyForce(force, point) {
        requireVector(force, 'applyForce', 'the force')
        memory[wrench] += force[0]
        memory[wrench + 1] += force[1]
        memory[wrench + 2] += force[2]
        if (point === undefined) return
        requireVector(point, 'applyForce', 'the point')
        const x = point[0] - memory[at + 13]
        const y = point[1] - memory[at + 14]
        const z = point[2] - memory[at + 15]
        memory[wrench + 3] += y * force[2] - z * force[1]
        memory[wrench + 4] += z * force[0] - x * force[2]
        memory[wrench + 5] += x * force[1] - y * force[0]
      },
      applyTorque(torque) {
        requireVector(torque, 'applyTorque', 'the torque')
        memory[wrench + 3] += torque[0]
        memory[wrench + 4] += torque[1]
        memory[wrench + 5] += torque[2]
      },
    })
  }

  /** Finaliser of MurmurHash3: every input bit reaches every output bit. */
  function mix(value) {
    value = imul(value ^ (value >>> 16), 0x85ebca6b)
    value = imul(value ^ (value >>> 13), 0xc2b2ae35)
    return value ^ (value >>> 16)
  }

  /** 53 bits from two lanes of one hash over seed, time and key. */
  function random(key, every) {
    const text = makeText(key)
    if (every !== undefined && !(every > 0)) throw new Failure(`random: the interval is ${makeText(every)}, allowed is a time > 0 s`)
    timeValue[0] = every === undefined ? memory[timeAt] + 0 : floor(memory[timeAt] / every) + 0
    let high = mix(seed ^ 0x9e3779b9)
    let low = mix(seed ^ 0x7f4a7c15)
    const take = word => {
      high = mix(imul(high ^ word, 0x01000193) + 0x27d4eb2f)
      low = mix(imul(low ^ word, 0x5bd1e995) + 0x165667b1)
    }
    take(timeBits[0])
    take(timeBits[1])
    for (let i = 0; i < text.length; i++) take(codeUnitAt(text, i))
    take(text.length)
    return ((high >>> 5) * 67108864 + (low >>> 6)) / 9007199254740992
  }

  let plots = []
  let logs = []

  function plot(name, value) {
    if (typeof name !== 'string' || name.length > maxText) throw new Failure('plot: the name has to be a text')
    if (typeof value !== 'number') throw new Failure(`plot: the value of "${name}" is not a number`)
    if (plots.length >= maxPlots) throw new Failure(`plot: more than ${maxPlots} values in one call`)
    push(plots, { name, value: isFinite(value) ? value : makeText(value) })
  }

  function log(text) {
    const line = makeText(text)
    if (line.length > maxText) throw new Failure(`log: the text is longer than ${maxText} characters`)
    if (logs.length >= maxLogs) throw new Failure(`log: more than ${maxLogs} lines in one call`)
    push(logs, line)
  }

  const parameterPlaces = new Map(parameterIds.map((id, index) => [id, parameterAt + index]))
  const maxNamed = 8
  /** Which ids are allowed, for messages. */
  const those = ids => ids.length === 0 ? 'the scene has none' : `there are ${ids.slice(0, maxNamed).join(', ')}${ids.length > maxNamed ? ' …' : ''}`
  const allowed = those(parameterIds)
  const bodiesAllowed = those(bodyIds)
  /** Values of the scene's parameters by id, at the present time. */
  const parameters = new Proxy(freeze(parameterIds.reduce(
    (target, id) => defineProperty(target, id, { get: () => memory[lookUp(parameterPlaces, id)], enumerable: true }), { __proto__: null })), {
    get(_, id) {
      if (typeof id === 'symbol') return undefined
      const place = lookUp(parameterPlaces, id)
      if (place === undefined) throw new Failure(`parameters: there is no parameter "${id}", ${allowed}`)
      return memory[place]
    },
  })

  const views = new Map(bodyIds.map((id, index) => [id, viewOf(id, index)]))
  const context = {
    get time() { return memory[timeAt] },
    parameters,
    body(id) {
      const view = lookUp(views, id)
      if (view === undefined) throw new Failure(`body: there is no body "${makeText(id)}", ${bodiesAllowed}`)
      return view
    },
    random,
    plot,
    log,
  }

  let script
  let controller
  let firstState = '{}'
  let fault = ''
  let sight
  let state
  let commands = []

  const required = (value, method, name, least) => {
    if (isFinite(value) && value >= least) return value
    valueFault = true
    throw new Failure(`${method}: ${name} is ${makeText(value)}, allowed is a finite number${least === -Infinity ? '' : ` ≥ ${least}`}`)
  }
  /** A limit as in JSON: null means no limit. */
  const limitOf = (value, method) => value === undefined || value === Infinity ? null : required(value, method, 'the largest force', 0)

  function jointView(joint) {
    const { id, positions, velocities } = joint
    const command = (method, coordinate, rest) => {
      if (!(coordinate >= 0 && coordinate < positions.length && floor(coordinate) === coordinate)) {
        throw new Failure(`${method}: joint "${id}" has ${positions.length} coordinates, there is no ${makeText(coordinate)}`)
      }
      push(commands, { joint: id, coordinate, ...rest })
    }
    return freeze({
      ...joint, position: positions[0], velocity: velocities[0],
      setTargetVelocity(target, maxForce, coordinate = 0) {
        const method = 'setTargetVelocity'
        command(method, coordinate, { kind: 'velocity', target: required(target, method, 'the velocity', -Infinity), limit: limitOf(maxForce, method) })
      },
      setForce(force, coordinate = 0) {
        command('setForce', coordinate, { kind: 'force', force: required(force, 'setForce', 'the force', -Infinity) })
      },
      setTargetPosition(target, { stiffness, damping, velocity: wanted = 0, maxForce } = {}, coordinate = 0) {
        const method = 'setTargetPosition'
        command(method, coordinate, {
          kind: 'position', target: required(target, method, 'the position', -Infinity), velocity: required(wanted, method, 'the velocity', -Infinity),
          stiffness: required(stiffness, method, 'the stiffness', 0), damping: required(damping, method, 'the damping', 0), limit: limitOf(maxForce, method),
        })
      },
      release(coordinate = 0) { command('release', coordinate, { kind: 'release' }) },
    })
  }

  const among = (list, what, view) => {
    const found = new Map(list.map(item => [item.id, item]))
    return id => {
      const item = lookUp(found, id)
      if (item === undefined) throw new Failure(`${what}: there is no ${what} "${makeText(id)}", ${those(list.map(one => one.id))}`)
      return view(item)
    }
  }

  const controlContext = {
    get time() { return memory[timeAt] },
    get state() { return state },
    get contacts() { return sight.contacts },
    parameters,
    body: context.body,
    joint: id => sight.joint(id),
    sensor: id => sight.sensor(id),
    random,
    plot,
    log,
  }

  /** Requires that the state of a controller is plain data, which JSON reproduces exactly. */
  function requirePlain(value, path, depth) {
    if (value === null || typeof value === 'string' || typeof value === 'boolean' || (typeof value === 'number' && isFinite(value))) return
    const plain = typeof value === 'object' && (isArray(value) || getPrototypeOf(value) === plainPrototype)
    if (!plain || depth > 16) {
      valueFault = true
      const shown = typeof value === 'number' ? makeText(value) : typeof value
      throw new Failure(`${path} is ${shown}${plain ? ' in too deep a nest' : ''}: a controller can keep numbers, texts, booleans, null, and arrays and objects of them`)
    }
    for (const key of getOwnPropertyNames(value)) if (key !== 'length' || !isArray(value)) requirePlain(value[key], `${path}.${key}`, depth + 1)
  }

  /** The thrown value as text; it may be any value, also with getters that throw. */
  function describe(error) {
    const part = name => {
      try {
        const value = error[name]
        return typeof value === 'string' ? value : ''
      } catch {
        return ''
      }
    }
    let message = ''
    try {
      message = typeof error === 'object' && error !== null ? part('message') : makeText(error)
    } catch {
      message = typeof error
    }
    return stringify({ name: part('name'), message: message.slice(0, 2000), stack: part('stack').slice(0, 20000), valueFault })
  }

  /** Stores the module's functions, and freezes its constants. Returns the module's properties as JSON, or an error. */
  function adopt(module, stateName) {
    try {
      script = module.default
      controller = module.control
      if (script === undefined && controller === undefined) throw new Failure('the script has to export a function: export default function (ctx: ForceContext) { … }')
      if (script !== undefined && typeof script !== 'function') throw new Failure('the default export of the script has to be a function (ctx: ForceContext)')
      const { period } = module
      if (controller !== undefined) {
        if (typeof controller !== 'function') throw new Failure('control has to be a function: export function control(ctx: ControlContext) { … }')
        if (!(isFinite(period) && period >= leastPeriod)) throw new Failure(`a controller has to export its period: a number of s ≥ ${leastPeriod}, not ${makeText(period)}`)
        requirePlain(module.state ?? {}, 'state', 0)
        firstState = stringify(module.state ?? {})
      }
      const breakpoints = module.breakpoints ?? []
      if (!isArray(breakpoints)) throw new Failure('breakpoints has to be an array of times in s')
      for (let i = 0; i < breakpoints.length; i++) {
        if (!isFinite(breakpoints[i])) throw new Failure(`breakpoints[${i}] is ${makeText(breakpoints[i])}, allowed is a finite time in s`)
      }
      const answer = stringify({ breakpoints, computes: script !== undefined, period: controller === undefined ? null : period })
      for (const [name, value] of module[stateName]()) {
        try {
          freezeAll(value)
        } catch (error) {
          throw new Failure(`${name}: ${error.message}`)
        }
      }
      if (script !== undefined) freezeAll(script)
      if (controller !== undefined) freezeAll(controller)
      return answer
    } catch (error) {
      memory[statusAt] = 1
      return describe(error)
    }
  }

  function run() {
    valueFault = false
    plots = []
    logs = []
    try {
      const result = script(context)
      if (typeof result === 'object' && result !== null) {
        throw new Failure('the function has to do its work at once: it may not be async or a generator, nor return an object')
      }
    } catch (error) {
      fault = describe(error)
      memory[statusAt] = 1
    }
  }

  /** One call of the controller. Input and kept state, and the new state and commands, are passed as JSON. */
  function control(given) {
    valueFault = false
    plots = []
    logs = []
    commands = []
    try {
      const { own, joints, contacts, sensors } = parse(given)
      state = parse(own ?? firstState)
      sight = { joint: among(joints, 'joint', jointView), sensor: among(sensors, 'sensor', freeze), contacts }
      const result = controller(controlContext)
      if (typeof result === 'object' && result !== null) {
        throw new Failure('control has to do its work at once: it may not be async or a generator, nor return an object')
      }
      requirePlain(state, 'ctx.state', 0)
      const kept = stringify(state)
      if (kept.length > maxState) throw new Failure(`ctx.state is ${kept.length} characters long, allowed are ${maxState}`)
      return stringify({ own: kept, commands, plots, logs })
    } catch (error) {
      fault = describe(error)
      memory[statusAt] = 1
      return ''
    }
  }

  const face = { adopt, run, control, describe, fault: () => fault, output: () => stringify({ plots, logs }) }
  guardCollections()
  takeAway()
  freezeAll(globalThis)
  // Objects reachable by syntax only: the prototypes of generators, async functions, iterators and regular expressions.
  for (const value of [function* () { yield 0 }, async function () { return undefined }, async function* () { yield 0 }, [][Symbol.iterator](), /x/, context, controlContext]) {
    freezeAll(value)
  }
  return face
})
