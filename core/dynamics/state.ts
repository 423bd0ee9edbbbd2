/**
 * The state vector that integrators advance.
 *
 * `BODY_STATE` doubles a moving body (dynamic or kinematic): centre of mass c (m), orientation q of the body frame, velocity v of c (m/s), world
 * angular momentum L about c (kg m²/s), with ω = R I_b⁻¹ Rᵀ L [physics.md §3]; a kinematic body keeps ω itself in the last three. Behind the
 * bodies come whatever further states a method integrates (works of the energy audit). Integrators know none of this.
 */
export const BODY_STATE = 13

export const OFFSET_CENTER = 0
export const OFFSET_ORIENTATION = 3
export const OFFSET_VELOCITY = 7
export const OFFSET_MOMENTUM = 10
