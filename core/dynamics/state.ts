/**
 * The state vector that integrators advance.
 *
 * `BODY_STATE` doubles a moving body (dynamic or kinematic): centre of mass c (m), orientation q of the body frame, velocity v of c (m/s), world
 * angular momentum L about c (kg m²/s), with ω = R I_b⁻¹ Rᵀ L; for a kinematic body the last three are ω itself. After the bodies
 * follow further states that a method integrates (works of the energy balance). Integrators do not depend on this layout.
 */
export const BODY_STATE = 13

export const OFFSET_CENTER = 0
export const OFFSET_ORIENTATION = 3
export const OFFSET_VELOCITY = 7
export const OFFSET_MOMENTUM = 10
