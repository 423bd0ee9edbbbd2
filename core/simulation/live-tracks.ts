/** What a person changes while a run goes on: tracks that begin with what the scene says, and that the session appends to. */

import type { GuideTrack } from '../dynamics/forces'
import type { HeldTrack } from '../dynamics/held-track'

/** What of a joint's coordinate changes: its motor's velocity, its servo's target, its drive's force. */
export type DriveKind = 'motor' | 'servo' | 'drive'

/** Each gives the track of that name, made by `make` where it is asked for the first time. */
export interface LiveTracks {
  guide(force: string, make: () => GuideTrack): GuideTrack
  drive(id: string, make: () => HeldTrack): HeldTrack
}

/** @param coordinate of the joint, from 0 */
export const driveId = (joint: string, coordinate: number, kind: DriveKind): string => `${joint}/${coordinate}/${kind}`
