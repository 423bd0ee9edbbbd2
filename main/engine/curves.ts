/** Curves by formulas over a recorded run: only required data of a frame are read. */
import { curveOf, evaluateCurves, type Curve, type CurveFrame, type CurveScene } from '../../core/analysis/curve'
import { MeasureError, type EventTally } from '../../core/analysis/measure'
import { momentumOf, type Momentum } from '../../core/analysis/momentum'
import { parseScene } from '../../core/scene'
import { HostError } from '../protocol/host'
import { massesOfRun } from './inspect'
import type { TrajectoryReader } from './reader'
import { inTurns } from './turns'

const NOTHING = new Float64Array(0)

/** @throws HostError `InvalidFormula` for invalid formulas, or for quantities that the run does not have */
export function curvesOfRun(reader: TrajectoryReader, texts: readonly string[]): Curve[] {
  const scene = sceneOfRun(reader)
  return texts.map(text => {
    try {
      return curveOf(text, scene)
    } catch (error) {
      if (!(error instanceof MeasureError)) throw error
      const { message, at, allowed } = error
      const fullMessage = `${message} At character ${at + 1} of "${text}".`
      throw new HostError('InvalidFormula', fullMessage, [{
        name: 'InvalidFormula', severity: 'error', message: fullMessage, path: '', ids: [], value: text, ...(allowed === undefined ? {} : { allowed }),
      }])
    }
  })
}

export async function valuesOfCurves(reader: TrajectoryReader, curves: readonly Curve[], time: Float64Array): Promise<Float64Array[]> {
  const { header } = reader
  const momentum = memo(() => momentumOf(massesOfRun(reader.scene, header)))
  return evaluateCurves(curves, time, () => framesOf(reader, time.length, momentum))
}

function sceneOfRun({ header, scene }: TrajectoryReader): CurveScene {
  const parsed = parseScene(scene)
  const types = new Map(parsed.ok ? parsed.resolved.joints.map(joint => [joint.id, joint.type] as const) : [])
  const { bodyIds, jointIds, sensorIds, sensorTypes } = header
  return { bodyIds, jointIds, sensorIds, sensorTypes, jointTypes: jointIds.map(id => types.get(id) ?? '') }
}

async function* framesOf(reader: TrajectoryReader, count: number, momentum: () => (bodies: Float64Array) => Momentum): AsyncGenerator<CurveFrame> {
  const events = new Tallies(reader)
  const plots = new Plots(reader)
  const hasSensors = reader.header.sensorIds.length > 0
  const turn = inTurns()
  for (let index = 0; index < count; index++) {
    const frame = reader.frame(index)
    const [contacts, joints] = [memo(() => reader.contacts(index)), memo(() => reader.joints(index))]
    const [certificate, sensors] = [memo(() => reader.certificate(index)), memo(() => hasSensors ? reader.sensors(index).values : NOTHING)]
    const moved = memo(() => momentum()(frame.bodies))
    yield {
      index, time: frame.time, frame, get contacts() { return contacts() }, get joints() { return joints() }, get certificate() { return certificate() },
      get sensors() { return sensors() }, get momentum() { return moved() },
      get events() { return events.until(frame.time) }, get plots() { return plots.until(index) },
    }
    await turn()
  }
}

/** Number of events of each kind up to a time that only increases. */
class Tallies {
  private next = 0
  private readonly tallies = new Map<string, EventTally>()

  constructor(private readonly reader: TrajectoryReader) {}

  until(time: number): ReadonlyMap<string, EventTally> {
    for (; this.next < this.reader.count('events'); this.next++) {
      const event = this.reader.event(this.next)
      if (event.time > time) break
      const { count, firstTime, impulse } = this.tallies.get(event.kind) ?? { count: 0, firstTime: event.time, impulse: 0 }
      const [x = 0, y = 0, z = 0] = event.impulse
      this.tallies.set(event.kind, { count: count + 1, firstTime, lastTime: event.time, impulse: impulse + Math.hypot(x, y, z) })
    }
    return this.tallies
  }
}

/** Last plotted values of scripts. */
class Plots {
  private next = 0
  private readonly values = new Map<string, number>()

  constructor(private readonly reader: TrajectoryReader) {}

  until(index: number): ReadonlyMap<string, number> {
    for (; this.next < this.reader.count('script'); this.next++) {
      const script = this.reader.script(this.next)
      if (script.index > index) break
      script.names.forEach((name, k) => this.values.set(name, script.values[k]!))
    }
    return this.values
  }
}

function memo<T>(make: () => T): () => T {
  let made: { readonly value: T } | null = null
  return () => (made ??= { value: make() }).value
}
