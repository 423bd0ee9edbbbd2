/** Changes by the user during a run: tracks that start with the scene's values, and to which the session appends. */

import type { GuideTrack } from '../dynamics/forces'
import { HeldTrack } from '../dynamics/held-track'
import type { Vec3 } from '../math/vector'
import type { ResolvedScene } from '../scene'
import type { ContactFrame, DeformableFrame, Frame } from '../trajectory/frame'

/** Changeable values of a joint's coordinate: its motor's velocity, its servo's target, its drive's force. */
export type DriveKind = 'motor' | 'servo' | 'drive'

/** The displayed frame before it is recorded, because actions at its time are part of it. Its hash is not known yet. */
export interface LivePicture {
  readonly frame: Frame
  readonly contacts: ContactFrame
  /** Null if the scene has none. */
  readonly deformables: DeformableFrame | null
}

/** Each returns the track of that name; `make` creates it on first use. */
export interface LiveTracks {
  /** Called when a world was compiled: bodies are numbered in this order from now on. */
  begin(known: Pick<ResolvedScene, 'bodies'>): void
  /** The run is to end with the next frame, at a checkpoint from which another scene continues. */
  readonly ending: boolean
  /** The run has reached its next frame: entries that are appended before this returns take effect at the frame's time, and are part of the frame. */
  reached(picture: LivePicture): void
  guide(force: string, make: () => GuideTrack): GuideTrack
  drive(id: string, make: () => HeldTrack): HeldTrack
  gravity(make: () => HeldTrack<Vec3>): HeldTrack<Vec3>
  /** Values of all parameters, in the scene's order. */
  parameters(make: () => HeldTrack<readonly number[]>): HeldTrack<readonly number[]>
}

/** @param coordinate of the joint, from 0 */
export const driveId = (joint: string, coordinate: number, kind: DriveKind): string => `${joint}/${coordinate}/${kind}`

/** Scenes with guides have one without keys too: so a session in which gravity may change, and the scene that is kept of it, number the same forces. */
export const hasGravityTrack = ({ gravityKeys, forces }: Pick<ResolvedScene, 'gravityKeys' | 'forces'>): boolean => gravityKeys !== undefined || forces.some(({ type }) => type === 'guide')

/** m/s² over time; null if it is constant. */
export function gravityTrack({ gravity: first, gravityKeys, forces }: ResolvedScene, live?: LiveTracks): HeldTrack<Vec3> | null {
  if (!hasGravityTrack({ gravityKeys, forces })) return null
  const make = (): HeldTrack<Vec3> => new HeldTrack<Vec3>(first, (gravityKeys ?? []).map(({ time, gravity: field }) => [time, field]))
  return live?.gravity(make) ?? make()
}

/** Values of the scene's parameters over time, in its order; null if no script can read them. */
export function parameterTrack({ parameters, scripts }: ResolvedScene, live?: LiveTracks): HeldTrack<readonly number[]> | null {
  if (parameters.length === 0 || scripts.length === 0) return null
  const make = (): HeldTrack<readonly number[]> => {
    const own = parameters.map(({ value, keys = [] }) => new HeldTrack(value, keys.map(key => [key.time, key.value])))
    const at = (time: number): number[] => own.map(track => track.at(time))
    const times = [...new Set(own.flatMap(track => track.times))].sort((a, b) => a - b)
    return new HeldTrack<readonly number[]>(parameters.map(({ value }) => value), times.map(time => [time, at(time)]))
  }
  return live?.parameters(make) ?? make()
}
