/** Parts of any size. A new part requires a file here and a line below. */

import { angle } from './angle'
import { arch } from './arch'
import { chain } from './chain'
import { channel } from './channel'
import type { LibraryEntry } from './entry'
import { gear } from './gear'
import { gearPair } from './gear-pair'
import { jack } from './jack'
import { lattice } from './lattice'
import { prism } from './prism'
import { regularSolid } from './regular-solid'
import { stairs } from './stairs'
import { wedge } from './wedge'

export type { LibraryEntry, LibraryField, LibraryPart } from './entry'

export const LIBRARY: readonly LibraryEntry[] = [regularSolid, prism, wedge, angle, channel, jack, stairs, lattice, arch, gear, gearPair, chain]
