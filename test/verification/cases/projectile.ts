import { bodyIn } from '../support'
import { furthest, type VerificationCase } from './case'

const g = 9.81

/** x = v t, y = 1 t, z = 100 + 20 t − g t²/2. */
export const cases: readonly VerificationCase[] = [{
  title: 'projectile', scene: 'projectile', method: 'event-driven',
  compare: run => [
    furthest('position, m of 100', run.frames.flatMap(frame => {
      const { position } = bodyIn(run, 'ball', frame)
      const t = frame.time
      return [[3 * t, position[0]!], [t, position[1]!], [100 + 20 * t - g * t * t / 2, position[2]!]] as const
    }), 1e-12, 100),
    furthest('fall speed, m/s of 50', run.frames.map(frame => [20 - g * frame.time, bodyIn(run, 'ball', frame).linearVelocity[2]!] as const), 1e-12, 50),
  ],
}]
