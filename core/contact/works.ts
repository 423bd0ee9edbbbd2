/** Works that the energy balance counts, as integrated beside the motion. */

/** In their order in the state vector, after the states of the bodies. */
export const WORKS = ['friction', 'drag', 'scripts', 'joints', 'kinematic'] as const
export type Work = (typeof WORKS)[number]
