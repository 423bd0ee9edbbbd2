/** The kernel of Newton's method in velocities [core/methods/time-stepping/solvers/augmented.ts]: its matrix, its force law, and velocities of bodies. */

export { factor, fill, solve } from './body-matrix'
export { push, rates } from './body-velocities'
export { look } from './force-law'
