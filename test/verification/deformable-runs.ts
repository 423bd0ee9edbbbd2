/** Runs scenes with deformables for tests, and stores the recorded data. */

import { simulate } from '../../core/simulation'
import type { CertificateFrame, ContactFrame, DeformableFrame, Frame, TrajectoryEvent } from '../../core/trajectory/frame'

export interface DeformableRun {
  readonly frames: readonly Frame[]
  readonly deformables: readonly DeformableFrame[]
  readonly contacts: readonly ContactFrame[]
  readonly certificates: readonly CertificateFrame[]
  readonly events: readonly TrajectoryEvent[]
  readonly status: string
}

export function runDeformables(scene: object): DeformableRun {
  const [frames, deformables, contacts, certificates, events]: [Frame[], DeformableFrame[], ContactFrame[], CertificateFrame[], TrajectoryEvent[]] = [[], [], [], [], []]
  const { status } = simulate(scene, {
    sink: {
      header: () => undefined, frame: frame => frames.push(frame), contacts: frame => contacts.push(frame), joints: () => undefined, forces: () => undefined,
      script: () => undefined, event: event => events.push(event), deformables: frame => deformables.push(frame),
      certificate: frame => certificates.push(frame),
    },
    cancelled: () => false, now: () => 0, scripts: { load: () => { throw new Error('no script here') }, dispose: () => undefined },
  })
  return { frames, deformables, contacts, certificates, events, status }
}

/** Largest share of the energy audit that remains unexplained. */
export function unexplained({ certificates }: DeformableRun): number {
  return Math.max(...certificates.map(({ energy }) => Math.abs(energy.residual)))
}

/** A level square sheet of n × n cells. */
export function sheet(n: number, width: number, height: number) {
  const vertices = Array.from({ length: (n + 1) * (n + 1) }, (_, k) => [(Math.floor(k / (n + 1)) / n - 0.5) * width, ((k % (n + 1)) / n - 0.5) * width, height])
  const triangles = Array.from({ length: n * n }, (_, k) => [Math.floor(k / n), k % n] as const).flatMap(([i, j]) => {
    const [a, b, c, d] = [i * (n + 1) + j, (i + 1) * (n + 1) + j, (i + 1) * (n + 1) + j + 1, i * (n + 1) + j + 1]
    return (i + j) % 2 === 0 ? [[a, b, c], [a, c, d]] : [[a, b, d], [b, c, d]]
  })
  return { vertices, triangles, restUV: vertices.map(([u, v]) => [u, v]), type: 'cloth', material: 'stone' }
}
