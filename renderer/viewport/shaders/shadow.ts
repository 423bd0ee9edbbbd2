/** Depth from the light, and the share of light that reaches a point. */

import { placeChunk } from './body'
import { packChunk } from './common'

export const depthVertex = /* glsl */`
${placeChunk}
uniform mat4 lightMatrix;
varying float vDepth;
void main() {
  int index = int(body + 0.5);
  vec4 place = poseTexel(index, 0);
  if (place.w < 0.5) { gl_Position = vec4(2.0, 2.0, 2.0, 1.0); return; }
  vec4 q = poseTexel(index, 1);
  vec3 p = turn(q, turn(shapeOrientation, position * shapeScale) + shapePosition) + place.xyz;
  gl_Position = lightMatrix * vec4(p, 1.0);
  vDepth = gl_Position.z * 0.5 + 0.5;
}
`

/** The same for deformables, whose vertices are in world coordinates. */
export const deformableDepthVertex = /* glsl */`
attribute vec3 position;
attribute float state;
uniform mat4 lightMatrix;
varying float vDepth;
void main() {
  if (state < -0.5) { gl_Position = vec4(2.0, 2.0, 2.0, 1.0); return; }
  gl_Position = lightMatrix * vec4(position, 1.0);
  vDepth = gl_Position.z * 0.5 + 0.5;
}
`

export const depthFragment = /* glsl */`
varying float vDepth;
${packChunk}
void main() { gl_FragColor = pack(vDepth); }
`
