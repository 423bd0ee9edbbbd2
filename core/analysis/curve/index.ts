/** Curves by formulas over recorded quantities. */
export { CURVE_FUNCTIONS, curveOf, type Curve } from './curve'
export { evaluateCurves } from './evaluate'
export { CURVE_QUANTITIES, type CurveFrame, type CurveScene } from './quantity'
