/** Thread of a decomposition: it computes for seconds without a pause, and is terminated if cancelled. */
import { parentPort, workerData } from 'node:worker_threads'
import type { DecomposedMesh, DecompositionStage } from '../protocol/meshes'
import { decompose, type DecompositionInput } from './decompose'

export type DecompositionReport =
  | { readonly kind: 'stage'; readonly stage: DecompositionStage }
  | { readonly kind: 'done'; readonly mesh: DecomposedMesh }
  | { readonly kind: 'refused'; readonly name: string; readonly message: string }

const report = (message: DecompositionReport) => parentPort?.postMessage(message)

decompose(workerData as DecompositionInput, stage => report({ kind: 'stage', stage })).then(
  mesh => report({ kind: 'done', mesh }),
  (error: unknown) => report({
    kind: 'refused', name: error instanceof Error ? error.name : 'Error', message: error instanceof Error ? error.message : String(error),
  }),
)
