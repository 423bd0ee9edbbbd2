/** Largest stiffness, in its unit: its square stays in the range of doubles that solvers need, and such a sheet is practically rigid. */
export const STIFFEST = 1e12
/** Largest painted factor of a stiffness. */
export const LARGEST_FACTOR = 1e6
/** Stiffness of cloth if the scene gives none: N/m, and N m for bending. */
export const CLOTH = { stretchWarp: 1000, stretchWeft: 1000, shear: 200, bendWarp: 1e-4, bendWeft: 1e-4 } as const
/** Stiffness of hair if the scene gives none: N, and N m² for bending. */
export const HAIR = { axialStiffness: 1000, bendingStiffness: 0 } as const
