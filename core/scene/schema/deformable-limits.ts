/** Of stiffnesses, in their units: their squares stay in the range that solvers keep, and a sheet of it is as good as rigid. */
export const STIFFEST = 1e12
