import type { Kind } from '../outcome'
import { meshes } from './meshes'
import { requests } from './requests'
import { scenes, variants } from './scenes'
import { scripts } from './scripts'
import { texts } from './texts'
import { trajectories } from './trajectories'

export const KINDS: Readonly<Record<string, Kind>> = { scenes, variants, texts, trajectories, meshes, scripts, requests }
