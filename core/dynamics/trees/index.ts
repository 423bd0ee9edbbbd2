/** Trees of bodies by the coordinates of their joints [PBM01-F §5]. */

export { TreeCoordinates } from './coordinates'
export { forestOf, type Forest, type Link } from './forest'
export { TreeIntegrator } from './integrator'
export { motionFrom } from './kinematics'
export { Trees } from './trees'
