/** Repeatable noise: a hash of seed, sensor and time, so it does not depend on how the run reached an instant. */

import { cos, log } from '../math/elementary'
import { highWord, lowWord } from '../math/float-bits'

/** Normally distributed, mean 0 and standard deviation 1 [Box, Muller 1958]. */
export function gaussian(seed: number, key: string, component: number, time: number): number {
  const u = uniform(seed, `${key}/${component}/a`, time)
  const v = uniform(seed, `${key}/${component}/b`, time)
  // 1 − u is in (0, 1].
  return Math.sqrt(-2 * log(1 - u)) * cos(2 * Math.PI * v)
}

/** In [0, 1): 53 bits of two lanes of one hash. */
function uniform(seed: number, key: string, time: number): number {
  let high = mix(seed ^ 0x9e3779b9)
  let low = mix(seed ^ 0x7f4a7c15)
  const take = (word: number): void => {
    high = mix(Math.imul(high ^ word, 0x01000193) + 0x27d4eb2f)
    low = mix(Math.imul(low ^ word, 0x5bd1e995) + 0x165667b1)
  }

  take(lowWord(time + 0))
  take(highWord(time + 0))
  for (let i = 0; i < key.length; i++) take(key.charCodeAt(i))
  take(key.length)
  return ((high >>> 5) * 67108864 + (low >>> 6)) / 9007199254740992
}

/** Finaliser of MurmurHash3. */
function mix(value: number): number {
  let x = value
  x = Math.imul(x ^ (x >>> 16), 0x85ebca6b)
  x = Math.imul(x ^ (x >>> 13), 0xc2b2ae35)
  return x ^ (x >>> 16)
}
