/** Measuring between vertices, edges, faces, circles, axes and bodies. */

export { placedFeature, type Feature, type FeatureKind, type ShapeFeature } from './feature'
export { measureBetween, ownMeasures, type Between, type OwnMeasure } from './measures'
export { featuresOf } from './shape-features'
