/** Shaders that write the depth from the eye. */

import { packChunk } from './common'
import { placeChunk } from './body'

const HIDE = 'gl_Position = vec4(2.0, 2.0, 2.0, 1.0); return;'
/** In metres in front of the eye; the map stores it as a share of the drawn depth range. */
const MEASURE = 'vDepth = dot(p - eye, forward); gl_Position = viewProjection * vec4(p, 1.0);'

export const depthOfBodies = /* glsl */`
${placeChunk}
uniform vec3 eye;
uniform vec3 forward;
varying float vDepth;
void main() {
  int index = int(body + 0.5);
  vec4 place = poseTexel(index, 0);
  if (place.w < 0.5) { ${HIDE} }
  vec4 q = poseTexel(index, 1);
  vec3 p = turn(q, turn(shapeOrientation, position * shapeScale) + shapePosition) + place.xyz;
  ${MEASURE}
}
`

export const depthOfDeformables = /* glsl */`
attribute vec3 position;
attribute float state;
uniform mat4 viewProjection;
uniform vec3 eye;
uniform vec3 forward;
varying float vDepth;
void main() {
  if (state < -0.5) { ${HIDE} }
  vec3 p = position;
  ${MEASURE}
}
`

export const depthOfPlanes = /* glsl */`
attribute vec3 position;
uniform mat4 viewProjection;
uniform vec3 eye;
uniform vec3 forward;
uniform vec3 center;
uniform vec3 axisU;
uniform vec3 axisV;
uniform float radius;
varying float vDepth;
void main() {
  vec3 p = center + (axisU * position.x + axisV * position.y) * radius;
  ${MEASURE}
}
`

export const depthBehind = /* glsl */`
varying float vDepth;
uniform vec2 occlusionRange;
${packChunk}
void main() { gl_FragColor = pack(clamp((vDepth - occlusionRange.x) / occlusionRange.y, 0.0, 0.99999)); }
`
