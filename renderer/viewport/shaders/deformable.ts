/** Surfaces of deformables, whose vertices come placed; the fragments are those of bodies. */
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
  vTint = tint;
  vState = vec4(state, 0.0, 0.0, 0.0);
  gl_Position = viewProjection * vec4(position, 1.0);
}
`
