/** What the tests of the engine share: a scene of boxes above the ground, and the error of a request that fails. */
import type { HostError } from '../../../../main/protocol/host'

const rubber = { id: 'rubber', density: 1000, friction: { static: 0.5, dynamic: 0.4 }, restitution: 0.5 }

export function boxesScene(count = 1, simulation: object = {}, place = (i: number): number[] => [0, 0, 1 + i]): string {
  return JSON.stringify({
    format: 'cairn-scene', version: 1, materials: [rubber],
    bodies: [
      { id: 'ground', type: 'fixed', position: [0, 0, 0], shapes: [{ type: 'halfSpace', normal: [0, 0, 1], offset: 0, material: 'rubber' }] },
      ...Array.from({ length: count }, (_, i) => (
        { id: `box-${i}`, type: 'dynamic', position: place(i), shapes: [{ type: 'box', size: [0.2, 0.2, 0.2], material: 'rubber' }] })),
    ],
    simulation: { duration: 0.5, outputRate: 100, ...simulation },
  })
}

export async function failure(promise: Promise<unknown>): Promise<HostError> {
  return promise.then(() => { throw new Error('nothing was thrown') }, (error: unknown) => error as HostError)
}
