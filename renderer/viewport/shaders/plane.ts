/** A round piece of a plane with grid lines at two spacings. It fades towards its rim and where it is seen edge-on. */

import { aroundChunk } from './around'
import { shadowChunk, skyChunk } from './common'

export const planeVertex = /* glsl */`
attribute vec3 position;
uniform mat4 viewProjection;
uniform vec3 center;
uniform vec3 axisU;
uniform vec3 axisV;
uniform float radius;
uniform vec2 anchorUV;
varying vec2 vDisc;
varying vec2 vPlane;
varying vec3 vPosition;
varying vec3 vNormal;
varying float vHeight;
uniform vec3 eye;
void main() {
  vNormal = normalize(cross(axisU, axisV));
  vHeight = dot(eye - center, vNormal);
  vDisc = position.xy;
  vPlane = position.xy * radius + anchorUV;
  vPosition = center + (axisU * position.x + axisV * position.y) * radius;
  gl_Position = viewProjection * vec4(vPosition, 1.0);
}
`

export const planeFragment = /* glsl */`
varying vec2 vDisc;
varying vec2 vPlane;
varying vec3 vPosition;
varying vec3 vNormal; // constant, as is the eye's height over the plane: computed per vertex
varying float vHeight;
uniform vec3 eye;
uniform vec3 forward;
uniform vec2 pixelScale;
uniform vec3 axisU;
uniform vec3 axisV;
uniform float spacing;
uniform vec3 lineColor;
uniform vec3 strongColor;
uniform vec4 fill;
uniform float axes;
uniform vec3 axisColorU;
uniform vec3 axisColorV;
uniform float stale;
uniform float light;
uniform vec4 highlight;
uniform float plate;
uniform float shade;

#ifdef SHADOWS
${shadowChunk}
#endif
${skyChunk}
${aroundChunk}
/**
 * Coverage by one-pixel lines at every multiple of the step; 0 where they would be closer than a few pixels. Position and pixel width in
 * steps.
 */
float lines(vec2 s, vec2 w) {
  vec2 line = clamp(1.0 - abs(fract(s - 0.5) - 0.5) / w, 0.0, 1.0) * clamp((0.35 - w) * 4.35, 0.0, 1.0);
  return max(line.x, line.y);
}
void main() {
  // Level ground fades out; an incline is a plate with an edge, so that it is recognised as one.
  vec2 width = max(fwidth(vPlane), vec2(1e-9)); // before any discard, since neighbouring pixels need the derivative
  float rim = max(abs(vDisc.x), abs(vDisc.y));
  float rimWidth = fwidth(rim);
  float reach = plate > 0.5 ? 1.0 : 1.0 - smoothstep(0.25, 1.0, dot(vDisc, vDisc));
  if (reach <= 0.0) discard;
  vec3 normal = vNormal;
  vec3 away = eye - vPosition;
  float facing = pixelScale.x > 0.5 ? -dot(forward, normal) : vHeight * inversesqrt(dot(away, away));
  float edgeOn = clamp(abs(facing) * 8.0, 0.0, 1.0);
  // A step of 0 draws no lines.
  float often = spacing > 0.0 ? 1.0 / spacing : 0.0;
  vec2 place = vPlane * often;
  vec2 pixel = max(width * often, vec2(1e-9));
  float drawn = sign(spacing) * edgeOn;
  float fine = lines(place, pixel) * drawn;
  float coarse = lines(place * 0.1, pixel * 0.1) * drawn;
  vec3 color = mix(lineColor, strongColor, coarse);
  float alpha = max(fine * 0.75, coarse);
#ifdef SOLID
  vec3 base = fill.rgb * light;
  color = mix(base, color, 0.75 * alpha);
  alpha = facing < 0.0 ? fill.a * 0.45 : fill.a;
  color *= skyVisibility(vPosition, normal) * around(vPosition, facing < 0.0 ? -normal : normal);
#ifdef SHADOWS
  color *= 1.0 - shade * (1.0 - lit(vPosition, normal));
#endif
#else
  vec2 d = (1.0 - clamp(abs(vPlane) / width - 0.2, 0.0, 1.0)) * 0.8 * axes;
  if (d.y > 0.0) { color = mix(color, axisColorU, d.y); alpha = max(alpha, d.y); }
  if (d.x > 0.0) { color = mix(color, axisColorV, d.x); alpha = max(alpha, d.x); }
#endif
  if (plate > 0.5) color = mix(color, strongColor, smoothstep(1.0 - 2.0 * rimWidth, 1.0 - rimWidth, rim));
  color = mix(color, highlight.rgb, highlight.a);
  color = mix(color, vec3(dot(color, vec3(0.3, 0.6, 0.1))), stale * 0.85);
  alpha *= reach;
  if (alpha < 0.004) discard;
  gl_FragColor = vec4(color, alpha);
}
`
