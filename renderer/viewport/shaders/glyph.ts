/** Arrows, lines, points and friction cones, all instanced. Dimensions without a physical size are constant on the screen. */

import { screenChunk } from './common'
import { PALETTE } from '../theme'

const paletteChunk = /* glsl */`
uniform vec3 palette[${PALETTE.length}];
vec3 paletteColor(float index) { return palette[int(index + 0.5)]; }
`
const head = /* glsl */`
attribute vec3 position;
uniform mat4 viewProjection;
${screenChunk}
${paletteChunk}
`
const hide = 'gl_Position = vec4(2.0, 2.0, 2.0, 1.0); return;'

export const ARROW_LAYOUT = { start: 3, along: 3, color: 1, weight: 1 } as const
export const SEGMENT_LAYOUT = { start: 3, finish: 3, color: 1, width: 1, dash: 1 } as const
export const POINT_LAYOUT = { center: 3, color: 1, size: 1, ring: 1 } as const
export const CONE_LAYOUT = { apex: 3, along: 3, slope: 1, color: 1 } as const

/**
 * position: (cos, sin) of the angle around the arrow, and its ring: 0 tail, 1 end of the shaft, 2 rim of the head, 3 tip, 4 centre of the
 * tail.
 */
export const arrowVertex = /* glsl */`
${head}
attribute vec3 start;
attribute vec3 along;
attribute float color;
attribute float weight;
uniform float lengthScale;
uniform float dpr;
varying vec3 vColor;
varying vec3 vNormal;
varying vec3 vView;
void main() {
  vec3 v = along * lengthScale;
  float l = length(v);
  float pixel = metresPerPixel(start + 0.5 * v) * dpr;
  if (l < 1.5 * pixel) { ${hide} }
  vec3 axis = v / l;
#ifdef FLAT
  vec3 side = cross(axis, towardsEye(start));
  side /= max(length(side), 1e-6);
#else
  vec3 side = normalize(abs(axis.z) < 0.9 ? cross(axis, vec3(0.0, 0.0, 1.0)) : cross(axis, vec3(1.0, 0.0, 0.0)));
#endif
  vec3 other = cross(axis, side);
  float full = 11.0 * pixel * weight;
  float headLength = min(full, 0.5 * l);
  float shrink = headLength / full;
  float shaft = 1.35 * pixel * weight * mix(0.6, 1.0, shrink);
  float flare = 4.2 * pixel * weight * mix(0.5, 1.0, shrink);
  float ring = position.z;
  float radius = ring < 1.5 ? shaft : ring < 2.5 ? flare : 0.0;
  float height = ring < 0.5 || ring > 3.5 ? 0.0 : ring < 2.5 ? l - headLength : l;
  vec3 outward = side * position.x + other * position.y;
  vec3 p = start + axis * height + outward * radius;
  vNormal = normalize(ring > 1.5 && ring < 3.5 ? outward + axis * (flare / headLength) : ring > 3.5 ? -axis : outward);
  vView = towardsEye(p);
#ifdef FLAT
  vNormal = vView;
#endif
  vColor = paletteColor(color);
  gl_Position = viewProjection * vec4(p, 1.0);
}
`

export const arrowFragment = /* glsl */`
varying vec3 vColor;
varying vec3 vNormal;
varying vec3 vView;
uniform float opacity;
void main() {
  float facing = abs(dot(normalize(vNormal), normalize(vView)));
  gl_FragColor = vec4(vColor * (0.70 + 0.32 * facing), opacity);
}
`

/** position: x is 0 at the start and 1 at the end; y is −1 or 1 for the side. */
export const segmentVertex = /* glsl */`
${head}
attribute vec3 start;
attribute vec3 finish;
attribute float color;
attribute float width;
attribute float dash;
uniform float dpr;
varying vec4 vColor;
varying float vAcross;
varying float vAlong;
varying float vDash;
varying float vHalf;
void main() {
  vec4 a = viewProjection * vec4(start, 1.0);
  vec4 b = viewProjection * vec4(finish, 1.0);
  float least = 1e-6;
  if (a.w < least && b.w < least) { ${hide} }
  if (a.w < least) a = mix(b, a, (b.w - least) / (b.w - a.w));
  if (b.w < least) b = mix(a, b, (a.w - least) / (a.w - b.w));
  vec2 pa = a.xy / a.w * viewport * 0.5;
  vec2 pb = b.xy / b.w * viewport * 0.5;
  vec2 d = pb - pa;
  float l = length(d);
  vec2 along = l > 1e-6 ? d / l : vec2(1.0, 0.0);
  vec2 across = vec2(-along.y, along.x);
  float half_ = 0.5 * width * dpr + 0.75;
  vec4 p = position.x < 0.5 ? a : b;
  p.xy += (across * position.y * half_ + along * (position.x - 0.5) * 0.5) * 2.0 / viewport * p.w;
  vHalf = half_;
  vAcross = position.y * half_;
  vAlong = position.x * l;
  vDash = dash * dpr;
  vColor = vec4(paletteColor(color), min(1.0, width * dpr));
  gl_Position = p;
}
`

export const segmentFragment = /* glsl */`
varying vec4 vColor;
varying float vAcross;
varying float vAlong;
varying float vDash;
varying float vHalf;
uniform float opacity;
void main() {
  float alpha = clamp(vHalf - abs(vAcross), 0.0, 1.0);
  if (vDash > 0.5 && fract(vAlong / (2.0 * vDash)) > 0.5) discard;
  gl_FragColor = vec4(vColor.rgb, vColor.a * alpha * opacity);
}
`

/** position: corners of a square, −1 … 1. Drawn a little closer to the eye, so that a point on a surface is not half hidden. */
export const pointVertex = /* glsl */`
${head}
attribute vec3 center;
attribute float color;
attribute float size;
attribute float ring;
uniform float dpr;
varying vec2 vPlace;
varying vec3 vColor;
varying float vRadius;
varying float vRing;
void main() {
  float radius = size * dpr + 1.5;
  vec3 p = center + towardsEye(center) * metresPerPixel(center) * radius;
  vec4 clip = viewProjection * vec4(p, 1.0);
  clip.xy += position.xy * radius * 2.0 / viewport * clip.w;
  vPlace = position.xy * radius;
  vRadius = size * dpr;
  vColor = paletteColor(color);
  vRing = ring;
  gl_Position = clip;
}
`

export const pointFragment = /* glsl */`
varying vec2 vPlace;
varying vec3 vColor;
varying float vRadius;
varying float vRing;
uniform float opacity;
uniform vec3 halo;
void main() {
  float d = length(vPlace);
  float alpha = clamp(vRadius + 0.5 - d, 0.0, 1.0);
  vec3 color = vColor;
  if (vRing > 0.5) alpha *= clamp(d - vRadius + 3.0, 0.0, 1.0);
  else color = mix(vColor, halo, clamp(d - vRadius + 1.7, 0.0, 1.0) * 0.75);
  if (alpha < 0.01) discard;
  gl_FragColor = vec4(color, alpha * opacity);
}
`

/** position: (cos, sin, 0 at the apex and 1 at the rim). */
export const coneVertex = /* glsl */`
${head}
attribute vec3 apex;
attribute vec3 along;
attribute float slope;
attribute float color;
uniform float lengthScale;
varying vec3 vColor;
varying float vHeight;
varying float vFacing;
void main() {
  vec3 v = along * lengthScale;
  float l = length(v);
  if (l <= 0.0) { ${hide} }
  vec3 axis = v / l;
  vec3 side = normalize(abs(axis.z) < 0.9 ? cross(axis, vec3(0.0, 0.0, 1.0)) : cross(axis, vec3(1.0, 0.0, 0.0)));
  vec3 other = cross(axis, side);
  vec3 outward = side * position.x + other * position.y;
  vec3 p = apex + v * position.z + outward * (l * slope * position.z);
  vec3 n = normalize(outward - axis * slope);
  vFacing = abs(dot(n, towardsEye(p)));
  vHeight = position.z;
  vColor = paletteColor(color);
  gl_Position = viewProjection * vec4(p, 1.0);
}
`

export const coneFragment = /* glsl */`
varying vec3 vColor;
varying float vHeight;
varying float vFacing;
uniform float opacity;
void main() {
  float rim = 1.0 - smoothstep(0.5, 1.5, (1.0 - vHeight) / max(fwidth(vHeight), 1e-6));
  float glance = pow(1.0 - vFacing, 2.0);
  gl_FragColor = vec4(vColor, opacity * (0.13 + 0.35 * glance + 0.75 * rim));
}
`
