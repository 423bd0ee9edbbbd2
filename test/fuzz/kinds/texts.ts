/** Mutated scene texts: checked, and run briefly if they are still valid. */
import { check } from '../../../core/simulation'
import { mutatedBytes, mutatedValue } from '../mutate'
import { attempted, type Kind } from '../outcome'
import { Random } from '../random'
import { randomScene } from '../scene'

export const texts: Kind = {
  run(seed) {
    const r = new Random(seed)
    const scene = randomScene(r)
    const text = r.chance(0.5) ? JSON.stringify(mutatedValue(r, scene))
      : new TextDecoder().decode(mutatedBytes(r, new TextEncoder().encode(JSON.stringify(scene))))
    return attempted([], () => {
      const { problems, scene: sound } = check(text)
      if (sound !== null) return { outcome: 'completed', detail: 'valid' }
      const [first] = problems.filter(({ severity }) => severity === 'error')
      return first === undefined ? { outcome: 'wrong', detail: 'refused without a reason' } : { outcome: 'refused', detail: first.name }
    })
  },
}
