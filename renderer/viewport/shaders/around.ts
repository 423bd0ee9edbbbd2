/** Ambient occlusion at a point, from the depth map of the picture. */

import { unpackChunk } from './common'

/**
 * `around(p, n)`: ambient light that reaches a surface, from sample points around it in the picture [McGuire, Mara and Luebke 2012, Scalable
 * ambient obscurance, §2, without the magnitude of v, so that no constant depends on the unit of length]. It is 1 − twice the mean over the
 * samples of the cosine to the normal, fading with the square of the distance. The factor two makes up for samples on the surface itself,
 * which contribute nothing: half the samples of a floor along a wall. 1 without `OCCLUSION`.
 */
export const aroundChunk = /* glsl */`
#ifndef OCCLUSION
float around(vec3 p, vec3 n) { return 1.0; }
#else
uniform highp sampler2D occlusionMap;
/** Smallest drawn depth, and the depth range above it, m. */
uniform vec2 occlusionRange;
/** Pixels of the map ÷ pixels of the picture. */
uniform float occlusionRate;
uniform vec2 viewport;
/** m: distance up to which objects occlude. */
uniform float aroundReach;
uniform vec3 right;
uniform vec3 up;
${unpackChunk}
float around(vec3 p, vec3 n) {
  bool parallel = pixelScale.x > 0.5;
  float pixel = parallel ? pixelScale.y : pixelScale.y * dot(p - eye, forward);
  // At most a fifth of the picture: with larger radii close to the eye, the samples would be too far apart.
  float reach = min(aroundReach, 0.2 * viewport.y * pixel);
  float span = reach / pixel * occlusionRate;
  if (span < 1.5) return 1.0;
  float turned = 6.2831853 * fract(52.9829189 * fract(dot(gl_FragCoord.xy, vec2(0.06711056, 0.00583715))));
  vec2 place = gl_FragCoord.xy * occlusionRate;
  float sum = 0.0;
  for (int i = 0; i < OCCLUSION_TAPS; i++) {
    float r = sqrt((float(i) + 0.5) / float(OCCLUSION_TAPS));
    float angle = 2.39996 * float(i) + turned;
    // Centre of a texel of the map, at which its depth holds.
    vec2 at = floor(place + vec2(cos(angle), sin(angle)) * r * span) + 0.5;
    vec2 share = at / occlusionRate / viewport;
    if (any(lessThan(share, vec2(0.0))) || any(greaterThan(share, vec2(1.0)))) continue;
    float depth = unpack(texture2D(occlusionMap, share));
    if (depth > 0.9999) continue;
    depth = occlusionRange.x + depth * occlusionRange.y;
    vec2 off = (share - 0.5) * viewport * pixelScale.y * (parallel ? 1.0 : depth);
    vec3 v = eye + forward * depth + right * off.x + up * off.y - p;
    float square = dot(v, v);
    float near = max(0.0, 1.0 - square / (reach * reach));
    // Rounding of the depth, and slopes within a texel, would make a surface occlude itself by part of that texel.
    float over = dot(v, n) - pixel / occlusionRate;
    if (over > 0.0) sum += near * over * inversesqrt(square);
  }
  return max(0.0, 1.0 - 2.0 * sum / float(OCCLUSION_TAPS));
}
#endif
`
