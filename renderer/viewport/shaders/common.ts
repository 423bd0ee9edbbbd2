/** GLSL functions that several shaders share. */

/** Texels per body in the pose texture. */
export const POSE_TEXELS = 4
/** Bodies per row of the texture. */
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

/** Sizes of pixels in the vertex shader; `viewport` is in device pixels. */
export const screenChunk = /* glsl */`
uniform vec2 viewport;
uniform vec3 eye;
uniform vec3 forward;
/** x: 1 in orthographic projection; y: metres per pixel there, or metres per pixel and metre of depth. */
uniform vec2 pixelScale;
float metresPerPixel(vec3 p) {
  return pixelScale.x > 0.5 ? pixelScale.y : pixelScale.y * max(dot(p - eye, forward), 0.0);
}
vec3 towardsEye(vec3 p) {
  return pixelScale.x > 0.5 ? -forward : normalize(eye - p);
}
`

/** `lit(p, n)`: 0 in shadow … 1 in light, softened over a few texels. */
export const shadowChunk = /* glsl */`
uniform highp sampler2D shadowMap;
uniform mat4 shadowMatrix;
/** x: size of a texel as a share of the map; y: in metres. */
uniform vec2 shadowTexel;
float shadowDepth(vec2 at) {
  return dot(texture2D(shadowMap, at), vec4(1.0, 1.0 / 255.0, 1.0 / 65025.0, 1.0 / 16581375.0));
}
float lit(vec3 p, vec3 n) {
  vec3 c = (shadowMatrix * vec4(p + n * shadowTexel.y * 2.0, 1.0)).xyz * 0.5 + 0.5;
  if (any(lessThan(c, vec3(0.002))) || any(greaterThan(c, vec3(0.998)))) return 1.0;
  // Four by four texels, weighted so that the shadow's edge moves smoothly between texels: equivalent to 3 × 3 bilinear comparisons.
  vec2 place = c.xy / shadowTexel.x - 0.5;
  vec2 corner = floor(place);
  vec2 part = place - corner;
  float sum = 0.0;
  for (int i = -1; i <= 2; i++) {
    float wx = i == -1 ? 1.0 - part.x : i == 2 ? part.x : 1.0;
    for (int j = -1; j <= 2; j++) {
      float wy = j == -1 ? 1.0 - part.y : j == 2 ? part.y : 1.0;
      vec2 at = (corner + vec2(float(i), float(j)) + 0.5) * shadowTexel.x;
      sum += wx * wy * step(c.z - 0.0012, shadowDepth(at));
    }
  }
  return sum / 9.0;
}
`

/**
 * `skyVisibility(p, n)`: share of the ambient light that reaches an upward-facing surface, sampled from straight above. Objects close above or beside
 * it reduce the share, less with distance, so a body darkens the ground where it rests and less where it hovers. 1 without `SKY`.
 */
export const skyChunk = /* glsl */`
#ifndef SKY
float skyVisibility(vec3 p, vec3 n) { return 1.0; }
#else
uniform highp sampler2D skyMap;
uniform mat4 skyMatrix;
/** x: size of a texel as a share of the map; y: in metres. */
uniform vec2 skyTexel;
/** m: distance up to which objects occlude. */
uniform float skyReach;
float skyVisibility(vec3 p, vec3 n) {
  if (n.z < 0.35) return 1.0;
  vec3 c = (skyMatrix * vec4(p, 1.0)).xyz * 0.5 + 0.5;
  if (any(lessThan(c, vec3(0.0))) || any(greaterThan(c, vec3(1.0)))) return 1.0;
  float wide = skyTexel.y / skyTexel.x;
  float sum = 0.0;
  // The pattern is rotated from pixel to pixel, so that few samples give a fine grain instead of bands [Jimenez 2014: interleaved gradient
  // noise].
  float turned = 6.2831853 * fract(52.9829189 * fract(dot(gl_FragCoord.xy, vec2(0.06711056, 0.00583715))));
  for (int i = 0; i < SKY_TAPS; i++) {
    // Points of a sunflower pattern, evenly distributed over the disc.
    float r = sqrt((float(i) + 0.5) / float(SKY_TAPS));
    float angle = 2.39996 * float(i) + turned;
    vec2 d = vec2(cos(angle), sin(angle)) * r * skyReach;
    float depth = dot(texture2D(skyMap, c.xy + d / wide), vec4(1.0, 1.0 / 255.0, 1.0 / 65025.0, 1.0 / 16581375.0));
    // Height over the surface's own plane; the map's axes are y and −x.
    float over = (c.z - depth) * wide - (n.x * d.y - n.y * d.x) / n.z;
    float t = over / skyReach;
    if (t > 0.03) sum += (1.0 - 0.4 * r) / (1.0 + 1.5 * t * t);
  }
  return 1.0 - 0.62 * smoothstep(0.35, 0.6, n.z) * sum / float(SKY_TAPS);
}
#endif
`

/** A number of 0 … 1 in the four bytes of a texel. */
export const packChunk = /* glsl */`
vec4 pack(float x) {
  vec4 shifted = fract(x * vec4(1.0, 255.0, 65025.0, 16581375.0));
  return shifted - shifted.yzww * vec4(1.0 / 255.0, 1.0 / 255.0, 1.0 / 255.0, 0.0);
}
`
export const unpackChunk = /* glsl */`
float unpack(vec4 bytes) { return dot(bytes, vec4(1.0, 1.0 / 255.0, 1.0 / 65025.0, 1.0 / 16581375.0)); }
`
