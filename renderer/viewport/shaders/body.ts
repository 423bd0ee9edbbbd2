/** Surfaces, edges and outlines of bodies. */

import { poseChunk, screenChunk, shadowChunk, skyChunk } from './common'
import { aroundChunk } from './around'

export const BODY_ATTRIBUTES = ['position', 'normal', 'body', 'shape', 'shapePosition', 'shapeOrientation', 'shapeScale', 'tint'] as const
/** Attribute of bodies with pictures: place in the picture, and its layer. */
export const PICTURE = 'picture'
export const BODY_LAYOUT = { body: 1, shape: 1, shapePosition: 3, shapeOrientation: 4, shapeScale: 3, tint: 3 } as const

/** Position of a vertex: the shape's pose in the body, then the body's in the world. */
export const placeChunk = /* glsl */`
attribute vec3 position;
attribute float body;
attribute vec3 shapePosition;
attribute vec4 shapeOrientation;
attribute vec3 shapeScale;
uniform mat4 viewProjection;
${poseChunk}
`
const hide = 'gl_Position = vec4(2.0, 2.0, 2.0, 1.0); return;'

export const surfaceVertex = /* glsl */`
${placeChunk}
attribute vec3 normal;
attribute vec3 tint;
varying vec3 vPosition;
varying vec3 vNormal;
varying vec3 vTint;
varying vec4 vState;
#ifdef PICTURES
attribute vec3 picture;
varying vec4 vPicture;
#endif
void main() {
  int index = int(body + 0.5);
  vec4 place = poseTexel(index, 0);
  vState = poseTexel(index, 2);
  if (place.w < 0.5) { ${hide} }
  vec4 q = poseTexel(index, 1);
  vec4 paint = poseTexel(index, 3);
  vPosition = turn(q, turn(shapeOrientation, position * shapeScale) + shapePosition) + place.xyz;
  vNormal = turn(q, turn(shapeOrientation, normal / shapeScale));
  // Linear light. Constant over a shape, so it is computed per vertex instead of per pixel.
  vTint = pow(mix(tint, paint.rgb, paint.a), vec3(2.2));
#ifdef PICTURES
  // Painted bodies show their paint, not their pictures.
  vPicture = vec4(picture, 1.0 - paint.a);
#endif
  gl_Position = viewProjection * vec4(vPosition, 1.0);
}
`

/** Key light from above over the shoulder, ambient light of sky and ground, and a faint specular; all in linear light. */
export const surfaceFragment = /* glsl */`
#ifdef PICTURES
precision highp sampler2DArray;
uniform sampler2DArray pictures;
varying vec4 vPicture;
#endif
varying vec3 vPosition;
varying vec3 vNormal;
varying vec3 vTint;
varying vec4 vState;
uniform vec3 eye;
uniform vec3 forward;
uniform vec2 pixelScale;
uniform vec3 keyDirection;
uniform vec3 sky;
uniform vec3 ground;
uniform vec3 key;
uniform vec3 accent;
uniform vec3 warning;
uniform float stale;
uniform float hatchSize;
#ifdef SHADOWS
${shadowChunk}
#endif
${skyChunk}
${aroundChunk}
void main() {
  vec3 n = normalize(vNormal);
  vec3 v = pixelScale.x > 0.5 ? -forward : normalize(eye - vPosition);
  if (dot(n, v) < 0.0) n = -n;
  vec3 base = vTint;
#ifdef PICTURES
  vec4 texel = texture(pictures, vec3(vPicture.xy, floor(vPicture.z + 0.5)));
  // Transparent parts of a picture are white: surfaces are opaque.
  base *= mix(vec3(1.0), pow(texel.rgb, vec3(2.2)), texel.a * vPicture.w);
#endif
  // Fixed and kinematic bodies have hatching, as fixed parts in mechanical drawings.
  float kind = vState.y;
  if (kind > 0.5) {
    float s = dot(vPosition, vec3(0.7071, 0.5, 0.5)) / hatchSize;
    float w = fwidth(s) * 1.2;
    float band = kind > 1.5 ? 0.5 : 0.22;
    float line = smoothstep(band - w, band + w, abs(fract(s) - 0.5) * 2.0);
    float visible = 1.0 - smoothstep(0.25, 0.6, w);
    base *= mix(1.0, 0.86 + 0.14 * line, visible);
  }
  // Asleep: less saturated and darker.
  if (vState.z > 0.5) base = mix(base, vec3(dot(base, vec3(0.2126, 0.7152, 0.0722))), 0.6) * 0.5;
  float facing = max(dot(n, keyDirection), 0.0);
#ifdef SHADOWS
  facing *= lit(vPosition, n);
#endif
  vec3 half_ = normalize(keyDirection + v);
  float shine = pow(max(dot(n, half_), 0.0), 42.0) * 0.22 * step(0.001, facing);
  float grazing = 1.0 - max(dot(n, v), 0.0);
  float rim = grazing * grazing * grazing * 0.16;
  float visibility = skyVisibility(vPosition, n);
  facing *= 0.5 + 0.5 * visibility;
  vec3 light = mix(ground, sky, n.z * 0.5 + 0.5) * visibility * around(vPosition, n) + key * facing + vec3(0.10) * max(dot(n, v), 0.0);
  vec3 color = base * light + key * shine + sky * rim * base;
  float grey = dot(color, vec3(0.2126, 0.7152, 0.0722));
  color = mix(color, vec3(grey), stale * 0.85);
  float highlight = vState.x;
  if (highlight > 2.5) color = mix(color, pow(warning, vec3(2.2)), 0.45);
  else if (highlight > 0.5) color = mix(color, pow(accent, vec3(2.2)), 0.07);
  // Bright light tends to white instead of being clipped, so that faces of saturated colours remain distinguishable.
  vec3 over = max(color - 0.7, 0.0);
  color = min(color, 0.7) + 0.3 * (1.0 - exp(-over / 0.3));
  gl_FragColor = vec4(pow(max(color, 0.0), vec3(1.0 / 2.2)), 1.0);
}
`

export const edgeVertex = /* glsl */`
${placeChunk}
attribute vec3 tint;
varying vec3 vColor;
uniform vec3 ink;
uniform float inkWeight;
uniform float stale;
void main() {
  int index = int(body + 0.5);
  vec4 place = poseTexel(index, 0);
  if (place.w < 0.5) { ${hide} }
  vec4 q = poseTexel(index, 1);
  vec4 paint = poseTexel(index, 3);
  vec3 p = turn(q, turn(shapeOrientation, position * shapeScale) + shapePosition) + place.xyz;
  vec3 color = mix(mix(tint, paint.rgb, paint.a), ink, inkWeight);
  vColor = mix(color, vec3(dot(color, vec3(0.3, 0.6, 0.1))), stale * 0.85);
  gl_Position = viewProjection * vec4(p, 1.0);
}
`

export const edgeFragment = /* glsl */`
varying vec3 vColor;
uniform float opacity;
void main() { gl_FragColor = vec4(vColor, opacity); }
`

/** Selected bodies only: drawn into the stencil first, then enlarged by a few pixels around it. */
export const outlineVertex = /* glsl */`
${placeChunk}
attribute vec3 normal;
${screenChunk}
attribute float shape;
uniform float grow;
uniform float least;
uniform vec2 chosen;
varying float vKind;
void main() {
  int index = int(body + 0.5);
  vec4 place = poseTexel(index, 0);
  vec4 state = poseTexel(index, 2);
  if (place.w < 0.5 || state.x < least || (abs(chosen.x - body) < 0.5 && abs(chosen.y - shape) > 0.5)) { ${hide} }
  vKind = state.x;
  vec4 q = poseTexel(index, 1);
  vec3 local = position * shapeScale;
  vec3 p = turn(q, turn(shapeOrientation, local) + shapePosition) + place.xyz;
  // Enlarged along the direction from the shape's centre as well as the normal, so that outlines of boxes are closed at corners.
  vec3 outward = normalize(normalize(normal / shapeScale) + 1.5 * normalize(local + 1e-9));
  vec3 n = turn(q, turn(shapeOrientation, outward));
  gl_Position = viewProjection * vec4(p, 1.0);
  vec4 tip = viewProjection * vec4(p + n * metresPerPixel(p), 1.0);
  vec2 along = (tip.xy / tip.w - gl_Position.xy / gl_Position.w) * viewport;
  float l = length(along);
  if (l > 1e-6) gl_Position.xy += along / l * grow * 2.0 / viewport * gl_Position.w;
}
`

export const outlineFragment = /* glsl */`
varying float vKind;
uniform vec3 accent;
uniform vec3 hover;
uniform vec3 warning;
void main() {
  gl_FragColor = vec4(vKind > 2.5 ? warning : vKind > 1.5 ? accent : hover, 1.0);
}
`
