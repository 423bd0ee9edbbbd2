/** Every scene of the Rigid IPC fixtures that has its files: how it ends, and the largest overlap of its bodies. */

import { fixtures, outcome } from '../verification/rigid-ipc/run'

/** s of processor time a scene. */
const PATIENCE = 300

export default function (): void {
  const wanted = process.env.SCENES
  const names = fixtures('unit-tests', 'unit-tests/rotation', 'unit-tests/tunnel', 'unit-tests/erleben').filter(name => wanted === undefined || name.includes(wanted))
  for (const name of names) {
    const from = process.cpuUsage().user
    const spent = (): number => (process.cpuUsage().user - from) / 1e6
    const { scene, status, message, time, frames, events, overlap, penetration } = outcome(name, () => spent() > PATIENCE)
    console.log([
      scene.padEnd(56), status.padEnd(10), `t ${time.toFixed(2)} s`, `${frames} frames`, `${events} events`,
      `overlap ${overlap.toExponential(1)} size³`, `depth ${penetration.toExponential(1)} m`, `${spent().toFixed(1)} s of CPU`, message,
    ].join('  '))
  }
}
