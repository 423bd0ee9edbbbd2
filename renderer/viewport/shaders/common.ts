/** Pieces of GLSL that several shaders share. */

/** Texels that a body takes in the pose texture. */
export const POSE_TEXELS = 4
/** Bodies side by side in one row of the texture. */
export const POSE_COLUMNS = 256

/** `turn(q, v)`, and the state of body `i`: position + shown, orientation, (highlight, kind, fade), colour + its weight. */
export const poseChunk = /* glsl */`
uniform highp sampler2D poses;
vec4 poseTexel(int body, int k) {
  return texelFetch(poses, ivec2((body % ${POSE_COLUMNS}) * ${POSE_TEXELS} + k, body / ${POSE_COLUMNS}), 0);
}
vec3 turn(vec4 q, vec3 v) {
  vec3 t = 2.0 * cross(q.xyz, v);
  return v + q.w * t + cross(q.xyz, t);
}
`

/** Pixel sizes in the vertex shader; `viewport` is in device pixels. */
export const screenChunk = /* glsl */`
uniform vec2 viewport;
uniform vec3 eye;
uniform vec3 forward;
/** x: 1 in orthographic projection; y: metres a pixel there, or metres a pixel and metre of depth. */
uniform vec2 pixelScale;
float metresPerPixel(vec3 p) {
  return pixelScale.x > 0.5 ? pixelScale.y : pixelScale.y * max(dot(p - eye, forward), 0.0);
}
vec3 towardsEye(vec3 p) {
  return pixelScale.x > 0.5 ? -forward : normalize(eye - p);
}
`
export const SCREEN_UNIFORMS = ['viewport', 'eye', 'forward', 'pixelScale'] as const
