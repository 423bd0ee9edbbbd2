/** A bridge of planks, each hinged to the next, that hangs in an arc from the world; a crate falls on its middle. */

interface HangingBridge {
  readonly planks: number
  /** s */
  readonly step: number
  readonly duration: number
}

export function hangingBridge({ planks, step, duration }: HangingBridge): object {
  const hinges = Array.from({ length: planks + 1 }, (_, i): [number, number, number] => [0.25 * i, 0, 2 - 0.02 * i * (planks - i)])
  const boards = hinges.slice(1).map((b, i) => {
    const a = hinges[i]!
    const angle = Math.atan2(a[2] - b[2], b[0] - a[0])
    return {
      id: `plank-${i}`, position: a.map((x, k) => (x + b[k]!) / 2), orientation: [0, Math.sin(angle / 2), 0, Math.cos(angle / 2)],
      shapes: [{ type: 'box', size: [0.2, 0.8, 0.05], material: 'wood' }],
    }
  })
  const crate = { id: 'crate', position: [0.125 * planks, 0.05, 2.3], shapes: [{ type: 'box', size: [0.4, 0.4, 0.4], material: 'wood' }] }
  const joints = hinges.map((anchor, i) => ({
    id: `hinge-${i}`, type: 'hinge', bodyA: i === 0 || i === planks ? null : `plank-${i - 1}`, bodyB: `plank-${Math.min(i, planks - 1)}`, anchor, axis: [0, 1, 0],
  }))
  return {
    format: 'cairn-scene', version: 1, materials: [{ id: 'wood', density: 800, friction: { static: 0.5, dynamic: 0.5 } }], bodies: [...boards, crate], joints,
    simulation: { method: 'time-stepping', duration, outputRate: 1 / step, timeStepping: { step } },
  }
}
