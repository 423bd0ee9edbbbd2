/** Largest stiffness, in its unit: its square stays in the range of doubles that solvers need, and such a sheet is practically rigid. */
export const STIFFEST = 1e12
