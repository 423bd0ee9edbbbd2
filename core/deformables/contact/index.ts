/** Contact of particles with rigid shapes. */

export { bounce } from './bounce'
export { rigidSurface, type Surface } from './surface'
export { APART, SLIDES, STICKS, touching, type Touching } from './touching'
