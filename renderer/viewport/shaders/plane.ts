/** A round piece of a plane with grid lines at two spacings, fading towards its rim and where it is seen edge-on. */

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
varying vec3 vNormal; // the same everywhere, as the height of the eye over the plane: computed at the corners, not in every pixel
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
/** Coverage of lines of one pixel at every multiple of the step; none where they would be closer than a few pixels. The width is that of a pixel, in p. */
float lines(vec2 p, float stepSize, vec2 width) {
  if (stepSize <= 0.0) return 0.0;
  vec2 s = p / stepSize;
  vec2 w = max(width / stepSize, vec2(1e-9));
  vec2 d = abs(fract(s - 0.5) - 0.5) / w;
  vec2 fade = 1.0 - smoothstep(vec2(0.12), vec2(0.35), w);
  vec2 line = (1.0 - clamp(d, 0.0, 1.0)) * fade;
  return max(line.x, line.y);
}
void main() {
  // Level ground fades out; an incline is a plate with an edge, so that it is seen to be one.
  vec2 width = fwidth(vPlane); // before any pixel leaves: its neighbours need it
  float rim = max(abs(vDisc.x), abs(vDisc.y));
  float rimWidth = fwidth(rim);
  float reach = plate > 0.5 ? 1.0 : 1.0 - smoothstep(0.5, 1.0, length(vDisc));
  if (reach <= 0.0) discard;
  vec3 normal = vNormal;
  vec3 away = eye - vPosition;
  float facing = pixelScale.x > 0.5 ? -dot(forward, normal) : vHeight * inversesqrt(dot(away, away));
  float edgeOn = smoothstep(0.0, 0.12, abs(facing));
  float fine = lines(vPlane, spacing, width);
  float coarse = lines(vPlane, spacing * 10.0, width);
  vec3 color = mix(lineColor, strongColor, coarse);
  float alpha = max(fine * 0.75, coarse) * edgeOn;
  if (axes > 0.5) {
    vec2 d = (1.0 - clamp(abs(vPlane) / max(width, vec2(1e-9)) - 0.2, 0.0, 1.0)) * 0.8;
    if (d.y > 0.0) { color = mix(color, axisColorU, d.y); alpha = max(alpha, d.y); }
    if (d.x > 0.0) { color = mix(color, axisColorV, d.x); alpha = max(alpha, d.x); }
  }
  if (fill.a > 0.0) {
    vec3 base = fill.rgb * mix(1.0, light, 1.0);
    float below = facing < 0.0 ? 0.45 : 1.0;
    color = mix(base, mix(base, color, 0.75), alpha);
    alpha = fill.a * below;
    color *= open_(vPosition, normal);
#ifdef SHADOWS
    color *= 1.0 - shade * (1.0 - lit(vPosition, normal));
#endif
  }
  if (plate > 0.5) color = mix(color, strongColor, smoothstep(1.0 - 2.0 * rimWidth, 1.0 - rimWidth, rim));
  color = mix(color, highlight.rgb, highlight.a);
  color = mix(color, vec3(dot(color, vec3(0.3, 0.6, 0.1))), stale * 0.85);
  alpha *= reach;
  if (alpha < 0.004) discard;
  gl_FragColor = vec4(color, alpha);
}
`
