/** The blocks that a state is made of. */

export type { StateBlock } from './block'
export { BodyBlock } from './bodies'
export { ParticleBlock } from './particles'
