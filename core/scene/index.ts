export * from './types'
export { limits, sceneSchema, sceneVersion } from './schema/scene'
