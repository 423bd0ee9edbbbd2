/** Interface for hosts: checks and runs scenes. */

export { check, type CheckResult } from './check'
export { wayDown, wayOut } from './clearance'
export { frameIntervals, type FrameInterval, type FrameIntervals } from './frame-intervals'
export type { RecordedInstant } from './instant'
export { simulate, simulateParsed, type RunEnvironment } from './run'
export { sceneAt } from './scene-at'
export { driveId, type DriveKind, type LivePicture, type LiveTracks } from './live-tracks'
export { RefusedError, type Problem } from './problem'
export { ENGINE_VERSION } from './version'
