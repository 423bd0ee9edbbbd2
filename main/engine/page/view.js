import { add, cross, dot, poseAt, rotate, scaled, sub, unit } from './data.js'
import { particlesAt, partsOf, surfaceAt } from './deformables.js'
import { shapesOf } from './shapes.js'

const VERTEX = `#version 300 es
uniform mat4 camera; uniform vec4 turn; uniform vec3 place;
in vec3 point; in vec3 normal; out vec3 facing;
vec3 turned(vec3 v) { vec3 t = 2. * cross(turn.xyz, v); return v + turn.w * t + cross(turn.xyz, t); }
void main() { facing = turned(normal); gl_Position = camera * vec4(turned(point) + place, 1.); }`
const FRAGMENT = `#version 300 es
precision mediump float; uniform vec3 color; uniform float flatly; uniform float twoSided; in vec3 facing; out vec4 shade;
void main() {
  vec3 n = normalize(facing) * (twoSided > .5 && !gl_FrontFacing ? -1. : 1.);
  float light = .45 + .4 * max(0., dot(n, normalize(vec3(.4, -.6, .9)))) + .15 * (n.z * .5 + .5);
  shade = vec4(color * mix(light, 1., flatly), 1.);
}`

/** The bodies of a run in three dimensions, with overlays: contact forces, names. */
export class View {
  constructor(run, stage) {
    this.run = run
    this.shapes = shapesOf(run)
    this.parts = partsOf(run)
    const [scene, over] = [document.createElement('canvas'), document.createElement('canvas')]
    scene.setAttribute('role', 'img')
    scene.setAttribute('aria-label', 'The scene: drag to turn, wheel to zoom, right-drag to shift, click to choose')
    stage.append(scene, over)
    this.scene = scene
    this.over = over.getContext('2d')
    this.gl = scene.getContext('webgl2', { antialias: true })
    if (!this.gl) throw new Error('This browser has no WebGL 2, by which the scene is drawn. The numbers below are complete.')
    this.camera = { target: [0, 0, 0], azimuth: -0.9, elevation: 0.38, distance: 5 }
    this.upload()
    this.fit(run.time[0])
  }

  upload() {
    const { gl } = this
    const program = gl.createProgram()
    for (const [type, source] of [[gl.VERTEX_SHADER, VERTEX], [gl.FRAGMENT_SHADER, FRAGMENT]]) {
      const shader = gl.createShader(type)
      gl.shaderSource(shader, source)
      gl.compileShader(shader)
      gl.attachShader(program, shader)
    }
    gl.linkProgram(program)
    if (!gl.getProgramParameter(program, gl.LINK_STATUS)) throw new Error(gl.getProgramInfoLog(program))
    gl.useProgram(program)
    gl.enable(gl.DEPTH_TEST)
    gl.enable(gl.POLYGON_OFFSET_FILL)
    gl.polygonOffset(2, 4)
    this.places = Object.fromEntries(['camera', 'turn', 'place', 'color', 'flatly', 'twoSided'].map(name => [name, gl.getUniformLocation(program, name)]))
    const [point, normal] = ['point', 'normal'].map(name => gl.getAttribLocation(program, name))
    const made = (values, stride, withNormal) => {
      const array = gl.createVertexArray()
      gl.bindVertexArray(array)
      gl.bindBuffer(gl.ARRAY_BUFFER, gl.createBuffer())
      gl.bufferData(gl.ARRAY_BUFFER, values, gl.STATIC_DRAW)
      gl.enableVertexAttribArray(point)
      gl.vertexAttribPointer(point, 3, gl.FLOAT, false, stride, 0)
      if (withNormal) {
        gl.enableVertexAttribArray(normal)
        gl.vertexAttribPointer(normal, 3, gl.FLOAT, false, stride, 12)
      }
      return { array, count: values.byteLength / stride }
    }
    this.bent = made(new Float32Array(0), 24, true)
    this.bent.buffer = gl.getParameter(gl.ARRAY_BUFFER_BINDING)
    for (const shape of this.shapes) {
      shape.faces = made(shape.vertices, 24, true)
      shape.lines = made(shape.edges, 12, false)
    }
  }

  /** Fits all present bodies into the view, except unbounded planes. */
  fit(time) {
    const [low, high] = [[Infinity, Infinity, Infinity], [-Infinity, -Infinity, -Infinity]]
    const all = this.shapes.filter(shape => !shape.endless)
    for (const shape of all.length > 0 || this.parts.length > 0 ? all : this.shapes) {
      const pose = poseAt(this.run, shape.body, time)
      if (!pose) continue
      for (const point of shape.points) {
        add(rotate(pose.orientation, point), pose.position).forEach((x, k) => {
          low[k] = Math.min(low[k], x)
          high[k] = Math.max(high[k], x)
        })
      }
    }
    const particles = particlesAt(this.run, time)
    particles.forEach((x, i) => {
      low[i % 3] = Math.min(low[i % 3], x)
      high[i % 3] = Math.max(high[i % 3], x)
    })
    if (!(low[0] <= high[0])) return
    this.size = Math.hypot(...sub(high, low)) || 1
    Object.assign(this.camera, { target: scaled(add(low, high), 0.5), distance: 1.35 * this.size })
  }

  /** Unit vectors to the right, up, and towards the eye; and the eye. */
  axes() {
    const { target, azimuth, elevation, distance } = this.camera
    const back = [Math.cos(elevation) * Math.cos(azimuth), Math.cos(elevation) * Math.sin(azimuth), Math.sin(elevation)]
    const right = unit(cross([0, 0, 1], back))
    return { back, right, up: cross(back, right), eye: add(target, scaled(back, distance)) }
  }

  /** Position of a world point in the picture, px; null behind the eye. */
  project(point) {
    const { right, up, back, eye } = this.axes()
    const away = sub(point, eye)
    const depth = -dot(away, back)
    if (depth <= 0) return null
    const [width, height] = [this.scene.clientWidth, this.scene.clientHeight]
    const scale = height / 2 / Math.tan(Math.PI / 8) / depth
    return [width / 2 + dot(away, right) * scale, height / 2 - dot(away, up) * scale, depth]
  }

  /** The body at a position in the picture; null if there is none. */
  pick(x, y, time) {
    const { right, up, back, eye } = this.axes()
    const [width, height] = [this.scene.clientWidth, this.scene.clientHeight]
    const reach = Math.tan(Math.PI / 8) / (height / 2)
    const ray = unit(add(add(scaled(right, (x - width / 2) * reach), scaled(up, (height / 2 - y) * reach)), scaled(back, -1)))
    let nearest = { body: null, distance: Infinity }
    for (const { body, points, corners } of this.shapes) {
      const pose = poseAt(this.run, body, time)
      if (!pose) continue
      const inverse = [...scaled(pose.orientation.slice(0, 3), -1), pose.orientation[3]]
      const [from, along] = [rotate(inverse, sub(eye, pose.position)), rotate(inverse, ray)]
      for (let k = 0; k < corners.length; k += 3) {
        const distance = hit(from, along, points[corners[k]], points[corners[k + 1]], points[corners[k + 2]])
        if (distance < nearest.distance) nearest = { body, distance }
      }
    }
    const particles = particlesAt(this.run, time)
    for (const part of this.parts) {
      const values = surfaceAt(part, particles)
      const corner = i => values.subarray(6 * i, 6 * i + 3)
      for (let k = 0; k < values.length / 6; k += 3) {
        const distance = hit(eye, ray, ...[k, k + 1, k + 2].map(i => [...corner(i)]))
        if (distance < nearest.distance) nearest = { body: part.body, distance }
      }
    }
    return nearest.body
  }

  /** Cloth, ropes, hair and particles: their triangles are rebuilt for every picture. */
  drawParts(time, selected, accent) {
    const { gl, places, bent } = this
    const particles = particlesAt(this.run, time)
    gl.uniform4f(places.turn, 0, 0, 0, 1)
    gl.uniform3f(places.place, 0, 0, 0)
    gl.uniform1f(places.flatly, 0)
    gl.bindVertexArray(bent.array)
    gl.bindBuffer(gl.ARRAY_BUFFER, bent.buffer)
    for (const part of this.parts) {
      const values = surfaceAt(part, particles)
      gl.uniform1f(places.twoSided, part.kind === 'sheet' ? 1 : 0)
      gl.bufferData(gl.ARRAY_BUFFER, values, gl.DYNAMIC_DRAW)
      gl.uniform3fv(places.color, part.body === selected ? part.color.map((x, k) => 0.55 * x + 0.45 * accent[k]) : part.color)
      gl.drawArrays(gl.TRIANGLES, 0, values.length / 6)
    }
    gl.uniform1f(places.twoSided, 0)
  }

  draw(time, { selected, contact, contacts, arrows, arrowScale }) {
    const { gl, scene, places } = this
    const [width, height] = [scene.clientWidth, scene.clientHeight]
    for (const canvas of [scene, this.over.canvas]) {
      if (canvas.width !== Math.round(width * devicePixelRatio) || canvas.height !== Math.round(height * devicePixelRatio)) {
        Object.assign(canvas, { width: Math.round(width * devicePixelRatio), height: Math.round(height * devicePixelRatio) })
      }
    }
    const style = getComputedStyle(document.documentElement)
    const rgb = hex => [1, 3, 5].map(k => parseInt(hex.trim().slice(k, k + 2), 16) / 255)
    gl.viewport(0, 0, scene.width, scene.height)
    gl.clearColor(...rgb(style.getPropertyValue('--ground')), 1)
    gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT)
    gl.uniformMatrix4fv(places.camera, false, this.matrix(width / Math.max(1, height)))
    const accent = rgb(style.getPropertyValue('--accent'))
    for (const { body, color, endless, faces, lines } of this.shapes) {
      const pose = poseAt(this.run, body, time)
      if (!pose) continue
      gl.uniform4fv(places.turn, pose.orientation)
      gl.uniform3fv(places.place, pose.position)
      gl.uniform3fv(places.color, body === selected && !endless ? color.map((x, k) => 0.55 * x + 0.45 * accent[k]) : color)
      gl.uniform1f(places.flatly, 0)
      gl.bindVertexArray(faces.array)
      gl.drawArrays(gl.TRIANGLES, 0, faces.count)
      gl.uniform3fv(places.color, body === selected ? accent : scaled(color, 0.45))
      gl.uniform1f(places.flatly, 1)
      gl.bindVertexArray(lines.array)
      gl.drawArrays(gl.LINES, 0, lines.count)
    }
    if (this.parts.length > 0) this.drawParts(time, selected, accent)
    const { over } = this
    over.setTransform(devicePixelRatio, 0, 0, devicePixelRatio, 0, 0)
    over.clearRect(0, 0, width, height)
    contacts.forEach((one, k) => this.drawContact(one, k === contact, arrows ? arrowScale : 0, style))
  }

  /** A contact's point, and the force on the upper one of its two bodies. */
  drawContact({ point, force, mode }, chosen, metres, style) {
    const at = this.project(point)
    if (!at) return
    const { over } = this
    const color = MODE_COLORS[mode] ?? style.getPropertyValue('--muted')
    over.fillStyle = over.strokeStyle = color
    over.lineWidth = chosen ? 3 : 2
    const to = metres > 0 ? this.project(add(point, scaled(force, (force[2] < 0 ? -1 : 1) * metres))) : null
    if (to) {
      const [dx, dy] = [to[0] - at[0], to[1] - at[1]]
      const length = Math.hypot(dx, dy)
      if (length > 2) {
        const [ux, uy, head] = [dx / length, dy / length, Math.min(9, length)]
        over.beginPath()
        over.moveTo(at[0], at[1])
        over.lineTo(to[0] - ux * head, to[1] - uy * head)
        over.stroke()
        over.beginPath()
        over.moveTo(to[0], to[1])
        over.lineTo(to[0] - ux * head - uy * head * 0.4, to[1] - uy * head + ux * head * 0.4)
        over.lineTo(to[0] - ux * head + uy * head * 0.4, to[1] - uy * head - ux * head * 0.4)
        over.fill()
      }
    }
    over.beginPath()
    over.arc(at[0], at[1], chosen ? 6 : 3.5, 0, 2 * Math.PI)
    over.fill()
    if (chosen) {
      over.strokeStyle = style.getPropertyValue('--text')
      over.lineWidth = 2
      over.stroke()
    }
  }

  /** World to clip space, column by column. */
  matrix(aspect) {
    const { right, up, back, eye } = this.axes()
    const [near, far] = [this.camera.distance / 1000, this.camera.distance * 100 + 10 * this.size]
    const f = 1 / Math.tan(Math.PI / 8)
    const rows = [[...scaled(right, f / aspect), -dot(right, eye) * f / aspect], [...scaled(up, f), -dot(up, eye) * f]]
    const [depth, shift] = [(far + near) / (near - far), 2 * far * near / (near - far)]
    rows.push([...scaled(back, depth), -dot(back, eye) * depth + shift], [...scaled(back, -1), dot(back, eye)])
    return [0, 1, 2, 3].flatMap(k => rows.map(row => row[k]))
  }
}

/** The editor's colours, distinguishable with colour blindness. */
const MODE_COLORS = { sticking: '#56b4e9', sliding: '#e69f00', rolling: '#009e73', separating: '#999999' }

/** Distance along a ray to a triangle; Infinity if the ray misses it [Möller and Trumbore 1997]. */
function hit(from, along, a, b, c) {
  const [ab, ac] = [sub(b, a), sub(c, a)]
  const p = cross(along, ac)
  const determinant = dot(ab, p)
  if (Math.abs(determinant) < 1e-14) return Infinity
  const t = sub(from, a)
  const u = dot(t, p) / determinant
  const q = cross(t, ab)
  const v = dot(along, q) / determinant
  const distance = dot(ac, q) / determinant
  return u < 0 || v < 0 || u + v > 1 || distance < 0 ? Infinity : distance
}
