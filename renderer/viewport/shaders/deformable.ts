import { screenChunk } from './common'

/** Surfaces of deformables, whose vertices are in world coordinates. Uses the fragment shader of bodies. */
export const deformableVertex = /* glsl */`
attribute vec3 position;
attribute vec3 normal;
attribute vec3 tint;
attribute float state;
uniform mat4 viewProjection;
varying vec3 vPosition;
varying vec3 vNormal;
varying vec3 vTint;
varying vec4 vState;
void main() {
  if (state < -0.5) { gl_Position = vec4(2.0, 2.0, 2.0, 1.0); return; }
  vPosition = position;
  vNormal = normal;
  vTint = pow(tint, vec3(2.2));
  vState = vec4(state, 0.0, 0.0, 0.0);
  gl_Position = viewProjection * vec4(position, 1.0);
}
`

/** Selected or hovered deformables, shifted in the picture: copies shifted in different directions enlarge the outline on all sides. */
export const deformableOutlineVertex = /* glsl */`
attribute vec3 position;
attribute float state;
uniform mat4 viewProjection;
${screenChunk}
/** Device pixels. */
uniform vec2 shift;
varying float vKind;
void main() {
  if (state < 0.5) { gl_Position = vec4(2.0, 2.0, 2.0, 1.0); return; }
  vKind = state;
  gl_Position = viewProjection * vec4(position, 1.0);
  gl_Position.xy += shift * 2.0 / viewport * gl_Position.w;
}
`
