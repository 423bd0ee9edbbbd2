/** Free-body diagrams of recorded frames. */
export { freeBody, type DiagramForce, type DiagramKind, type DiagramOptions, type FreeBody } from './diagram'
export { outlinesOf, project, type Point2, type View } from './outline'
