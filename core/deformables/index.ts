/**
 * Particles, ropes, hair and cloth as pure functions on flat arrays: positions and velocities 3n (m, m/s), masses n (kg; 0 or infinite: not moved by
 * forces).
 */

export * from './conditions'
export { checkVertices, DeformableError, type Condition } from './condition'
export { addForces, addStageForces, conditionRates, conditionValues, elementWorkspace, energyOf, spread, stageHessian, storedEnergy, type ElementWorkspace, type Energy } from './energy'
export { oneByOne, stageElements } from './stage-elements'
export * from './implicit'
export { gravityLoad, type Load, type ParticleState, type ParticleSystem } from './system'
export { sheetEnergies, strandEnergies, type SheetMaterial, type StrandMaterial } from './materials'
export { hingesOf, neighbouringSides } from './patches'
export * from './constraints'
export * from './contact'
export * from './interactions'
