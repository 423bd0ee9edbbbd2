import { bodyIn, type Recorded } from '../support'
import { integral } from '../integrals'
import { furthest, relative, type Comparison, type VerificationCase } from './case'

const g = 9.81
const [a, c] = [1, 0.5]
const amplitude = 0.1

/**
 * With the centre at h(φ) = √(a² sin² φ + c² cos² φ), (a² + c²)/5 φ̇² + h'² φ̇² = 2 g (h(A) − h(φ)), so the time from A down to φ = A sin u is the
 * integral of √(((a² + c²)/5 + h'²)/(2 g (h(A) − h(φ)))) dφ, smooth in u.
 */
function timeDownTo(u: number, amplitude: number): number {
  const square = (phi: number): number => a * a * Math.sin(phi) ** 2 + c * c * Math.cos(phi) ** 2
  return integral(x => {
    const phi = amplitude * Math.sin(x)
    const slope = (a * a - c * c) * Math.sin(phi) * Math.cos(phi)
    const inertia = (a * a + c * c) / 5 + slope * slope / square(phi)
    // Without cancellation: h(A) − h(φ) = (a² − c²) sin(A − φ) sin(A + φ)/(h(A) + h(φ)); A cos u and its square root are expressed by half angles.
    const sum = Math.sqrt(square(amplitude)) + Math.sqrt(square(phi))
    const sines = Math.sin(amplitude - phi) / (amplitude - phi || 1) * Math.sin(amplitude + phi) / (amplitude + phi || 1)
    const safe = amplitude - phi < 1e-9 || amplitude + phi < 1e-9 ? Math.sin(2 * amplitude) / (2 * amplitude) : sines
    return Math.sqrt(inertia * sum / (2 * g * (a * a - c * c) * safe))
  }, u, Math.PI / 2)
}

function period(run: Recorded): Comparison[] {
  const expected = 2 * timeDownTo(-Math.PI / 2, amplitude)
  const { orientation, angularVelocity } = bodyIn(run, 'ellipsoid')
  const down = timeDownTo(Math.asin(2 * Math.asin(orientation[1]!) / amplitude), amplitude)
  const since = angularVelocity[1]! < 0 ? down : expected - down
  const { time } = run.frames.at(-1)!
  const turns = Math.round((time - since) / expected)
  return [
    relative('period by quadrature, s', expected, (time - since) / turns, 1e-8),
    // Checks the quadrature against the limit A → 0, from which it differs by a share of about 3 A².
    relative('2π √(c (a² + c²)/(5 g (a² − c²))) for A → 0, s', 2 * Math.PI * Math.sqrt(c * (a * a + c * c) / (5 * g * (a * a - c * c))), 2 * timeDownTo(-Math.PI / 2, 1e-4), 1e-7),
  ]
}

export const cases: readonly VerificationCase[] = [
  {
    title: 'ellipsoid rocking on a plane', scene: 'rocking-ellipsoid', method: 'event-driven',
    compare: run => [furthest('centre sideways, m', run.frames.map(frame => [0, bodyIn(run, 'ellipsoid', frame).position[0]!] as const), 1e-12)],
  },
  { title: 'ellipsoid rocking by 0.1 rad', scene: 'rocking-ellipsoid-slightly', method: 'event-driven', compare: period },
]
