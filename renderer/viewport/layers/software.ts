/** Whether frames are rendered by the processor instead of a graphics card. */

import type { Engine } from '@babylonjs/core/Engines/engine'
import type { Scene } from '@babylonjs/core/scene'

export function drawsBySoftware(scene: Scene): boolean {
  return /swiftshader|llvmpipe|softpipe|software|basic render/i.test((scene.getEngine() as Engine).getGlInfo().renderer)
}
