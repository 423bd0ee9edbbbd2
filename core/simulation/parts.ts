/** The parts of a run: the world of each part, and the state from which it continues. */

import type { World } from '../contact/world'
import { ScriptError, type ScriptRuntime } from '../dynamics/script-runtime'
import { ShapeError } from '../geometry/shape'
import { handedOver } from '../methods/handed-over'
import type { MethodState } from '../methods/method-state'
import { carriedOver } from '../methods/time-stepping/carried-over'
import type { ResolvedScene } from '../scene'
import { CheckpointError, checkpointIn, parseCheckpoint, type Checkpoint, type RecordingState } from './checkpoint'
import { compile, type ControlledWorld } from './compile'
import { controlsOver, decodeControls, type HeldControl } from './controllers'
import { handoversOf, type Handovers } from './handovers'
import { instantState, type RecordedInstant } from './instant'
import { KeptScripts } from './kept-scripts'
import type { LiveTracks } from './live-tracks'
import { RefusedError, type Problem } from './problem'

export interface Start {
  readonly method: MethodState | null
  readonly recording: RecordingState | null
  readonly controls: readonly HeldControl[]
}

/** Data of the run until the next checkpoint. */
export interface Part {
  readonly known: ResolvedScene
  readonly world: ControlledWorld
  readonly start: Start
}

export class Parts {
  readonly handovers: Handovers
  private scripts: KeptScripts

  /**
   * @param checked the world of the scene without its scripts, which has not moved yet
   * @param start where the run starts; absent: at 0
   */
  constructor(
    private readonly scene: ResolvedScene, private checked: ControlledWorld | null, private readonly runtime: ScriptRuntime,
    private readonly live: LiveTracks | undefined,
    private readonly start: { readonly checkpoint: string } | { readonly instant: RecordedInstant } | undefined,
  ) {
    this.handovers = handoversOf(scene, start !== undefined && 'instant' in start)
    this.scripts = new KeptScripts(runtime)
  }

  /** @throws RefusedError if the run cannot start there */
  first(): Part {
    const { scene, start } = this
    try {
      if (start === undefined) return this.part(this.handovers.part(0), () => ({ method: null, recording: null, controls: [] }))
      if ('checkpoint' in start) return this.from(start.checkpoint)
      const { instant } = start
      return this.part(scene, world => ({
        recording: null, controls: decodeControls(instant.controls),
        method: instantState(world, instant, scene.simulation.duration, scene.simulation.outputRate),
      }))
    } catch (error) {
      if (!(error instanceof RangeError) && !(error instanceof CheckpointError)) throw error
      const name = error instanceof CheckpointError ? error.name : 'InvalidStart'
      throw new RefusedError([{ name, severity: 'error', message: error.message, path: 'simulation', ids: [] }])
    }
  }

  /** From a checkpoint of this scene, which belongs to the world before the handover at its time. @throws CheckpointError */
  from(checkpoint: string): Part {
    const { times } = this.handovers
    const parsed = parseCheckpoint(checkpoint)
    const { time } = parsed.method
    const before = this.handovers.part(times.filter(other => other < time).length)
    if (!times.includes(time)) return this.part(before, world => checkpointIn(world, parsed))
    const former = compiled(before, null, undefined)
    // Scripts refer to bodies by their numbers.
    this.scripts = new KeptScripts(this.runtime)
    const after = this.handovers.part(times.filter(other => other <= time).length)
    return this.part(after, world => checkpointOver(checkpointIn(former, parsed), former, world))
  }

  private part(known: ResolvedScene, startIn: (world: ControlledWorld) => Start): Part {
    const world = this.checkedWorld(known) ?? compiled(known, this.scripts.again(), this.live)
    const start = startIn(world)
    // The state of controllers belongs to the world; the rest belongs to the method and the recording.
    if (world.control !== null) world.control.carried = start.controls
    this.live?.begin(known)
    return { known, world, start }
  }

  /** The world of the check, once, where it is that of the run: without scripts, live tracks and later elements. */
  private checkedWorld(known: ResolvedScene): ControlledWorld | null {
    const { checked } = this
    this.checked = null
    return known === this.scene && known.scripts.length === 0 && this.live === undefined ? checked : null
  }
}

function checkpointOver({ method, recording, controls }: Checkpoint, before: World, after: World): Checkpoint {
  return { recording, controls: controlsOver(controls, after.bodies), method: handedOver(before, after, method, carriedOver(method.own, after.bodies.length)) }
}

/** @throws RefusedError */
export function compiled(scene: ResolvedScene, scripts: ScriptRuntime | null, live: LiveTracks | undefined): ControlledWorld {
  try {
    return compile(scene, scripts, live)
  } catch (error) {
    if (error instanceof ScriptError) throw new RefusedError([scriptProblem(error, scene)])
    if (error instanceof ShapeError) throw new RefusedError([{ name: 'InvalidShape', severity: 'error', message: error.message, path: '', ids: [] }])
    throw error
  }
}

function scriptProblem(error: ScriptError, scene: ResolvedScene): Problem {
  const index = scene.scripts.findIndex(script => script.id === error.script)
  return {
    name: 'ScriptError', severity: 'error', message: error.message, path: `scripts[${index}].source`, ids: [error.script], line: error.line,
      column: error.column,
  }
}
