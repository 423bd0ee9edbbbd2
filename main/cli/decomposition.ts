/** Common part of `import` and `decompose`: settings from flags, and a decomposition that Ctrl-C cancels. */
import type { DecompositionInput } from '../engine/decompose'
import { Decompositions, defaultDecomposition } from '../engine/decompositions'
import { DECOMPOSITION_METHODS, holeNotes, isNotable, NOTABLE_SHARE, type DecomposedMesh, type DecompositionSettings, type DecompositionStage } from '../protocol/meshes'
import type { Arguments } from './arguments'
import { log } from './output'
import { shortNumber } from '../../core/math/short-number'

export const decompositionOptions = {
  method: { type: 'string' }, 'max-pieces': { type: 'string' }, resolution: { type: 'string' }, concavity: { type: 'string' },
} as const

export function settingsOf(given: Arguments): DecompositionSettings {
  const { method, maxPieces, resolution, concavity } = defaultDecomposition
  return {
    method: given.choice('method', DECOMPOSITION_METHODS) ?? method,
    maxPieces: given.number('max-pieces', { least: 1, most: 256, integer: true }) ?? maxPieces,
    resolution: given.number('resolution', { least: 16, most: 400, integer: true }) ?? resolution,
    concavity: given.number('concavity', { least: 1e-4, most: 1 }) ?? concavity,
  }
}

const doing: Readonly<Record<DecompositionStage, string>> = {
  reading: 'reading the mesh', cutting: 'cutting along its faces', approximating: 'cutting along concave edges', voxels: 'approximating by voxels',
}

const listening = new Map<string, (stage: DecompositionStage) => void>()
/** Shared by the whole command, so that equal meshes are decomposed once. */
const decompositions = new Decompositions((ticket, stage) => listening.get(ticket)?.(stage))

/** @throws HostError, named `Cancelled` after Ctrl-C */
export async function decomposed(label: string, input: DecompositionInput): Promise<DecomposedMesh> {
  listening.set(label, stage => log(`${label}: ${doing[stage]}`))
  const cancel = () => decompositions.cancel(label)
  process.on('SIGINT', cancel)
  try {
    const found = await decompositions.start(label, input)
    const share = found.volume === null ? '' : `, ${percent(found.piecesVolume / found.volume)} of the mesh's volume${
      found.reach ? `, at most ${shortNumber(found.reach, 3)} m beyond it` : ''}`
    if (found.method === 'surface') log(`${label}: an open surface as it is, by ${found.pieces.length} plates up to ${shortNumber(found.depth!, 2)} m deep behind it`)
    else log(`${label}: ${found.pieces.length} ${found.method} convex piece${found.pieces.length === 1 ? '' : 's'}${share}`)
    if (isNotable(found)) log(`${label}: warning: ${reasonOf(found)}; more pieces (--max-pieces) approximate it better`)
    for (const note of [...found.notes, ...holeNotes(found)]) log(`${label}: ${note}`)
    return found
  } finally {
    process.off('SIGINT', cancel)
    listening.delete(label)
  }
}

function reasonOf({ volume, piecesVolume }: DecomposedMesh): string {
  return volume !== null && Math.abs(piecesVolume / volume - 1) > NOTABLE_SHARE ? 'the pieces differ from the mesh by more than 5 % of its volume' : 'the pieces close or narrow holes'
}

function percent(share: number): string {
  return `${shortNumber(100 * share, 5)} %`
}
