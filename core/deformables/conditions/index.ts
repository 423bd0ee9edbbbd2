/** Every kind of condition C. */

export { angleCondition } from './angle'
export { bendCondition, hingeAngles } from './bend'
export { areaCondition, volumeCondition } from './content'
export { onCurveCondition, type NearCurve } from './curve'
export { curvatureCondition, type Patches } from './curvature'
export { distanceCondition } from './distance'
export { centreCondition, coincideCondition, onLineCondition, onPlaneCondition, pointCondition } from './linear'
export { restTriangles, stretchShearCondition, type RestTriangles } from './stretch-shear'
export { turnCondition } from './turn'
