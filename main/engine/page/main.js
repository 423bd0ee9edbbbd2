import { contactsOf, frameAt, poseAt, readRun } from './data.js'
import { particlesAt, vertexRange } from './deformables.js'
import { Chart, accurate, short } from './chart.js'
import { View } from './view.js'

/** An element with its text or children and attributes; text is never read as markup. */
function made(tag, attributes = {}, ...children) {
  const element = document.createElement(tag)
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith('on')) element.addEventListener(name.slice(2), value)
    else if (value !== null && value !== false) element.setAttribute(name, value === true ? '' : value)
  }
  element.append(...children)
  return element
}

const MAX_ROWS = 60
const SPEEDS = [0.05, 0.1, 0.25, 0.5, 1, 2]

class Page {
  constructor(run) {
    this.run = run
    this.state = { time: run.time[0], playing: false, speed: 1, selected: null, vertex: 0, contact: null, arrows: true, arrowFactor: 1 }
    this.stage = made('div', { class: 'stage' })
    this.slider = made('input', { 'type': 'range', 'min': 0, 'max': run.time.length - 1, 'step': 1, 'value': 0, 'aria-label': 'Frame', 'oninput': () => this.seek(run.time[Number(this.slider.value)]) })
    this.clock = made('output', { 'aria-label': 'Time' })
    this.play = made('button', { type: 'button', onclick: () => this.toggle() }, 'Play')
    this.details = made('section', { 'aria-label': 'Selected body' })
    this.table = made('section', { 'aria-label': 'Contacts now' })
    const energies = ['kinetic', 'potential', 'elastic']
    const column = k => Float64Array.from(run.time, (_, i) => run.energy[4 * i + k])
    const curves = energies.map((label, k) => ({ label, unit: 'J', values: column(k) })).filter(({ label, values }) => label !== 'elastic' || values.some(x => x !== 0))
    curves.push({ label: 'total', unit: 'J', values: Float64Array.from(run.time, (_, i) => [0, 1, 2].reduce((sum, k) => sum + run.energy[4 * i + k], 0)) })
    this.chart = new Chart(run, 'Energy', curves, time => this.seek(time))
    this.largest = largestForce(run)
    this.build()
    try {
      this.view = new View(run, this.stage)
      this.steer()
    } catch (error) {
      this.stage.append(made('p', { role: 'alert' }, error.message))
    }
    new ResizeObserver(() => this.draw()).observe(this.stage)
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => this.draw())
    this.draw()
  }

  build() {
    const { run, state } = this
    const kept = run.every > 1 ? `, every ${run.every} frames` : ''
    const facts = `${run.method}, ${run.solver} · ${run.time.length} frames at ${run.outputRate} Hz${kept} · Cairn ${run.engine}${run.complete ? '' : ' · cut off'}`
    const check = made('input', { type: 'checkbox', checked: true, onchange: event => { state.arrows = event.target.checked; this.draw() } })
    const scale = made('input', { 'type': 'range', 'min': -2, 'max': 2, 'step': 0.05, 'value': 0, 'aria-label': 'Length of arrows', 'oninput': event => { state.arrowFactor = 2 ** Number(event.target.value); this.draw() } })
    const speed = made('select', { 'aria-label': 'Speed', 'onchange': event => { state.speed = Number(event.target.value) } }, ...SPEEDS.map(x => made('option', { value: x, selected: x === 1 }, `× ${x}`)))
    this.choice = made('select', { 'aria-label': 'Body', 'onchange': event => this.select(event.target.value === '' ? null : Number(event.target.value)) },
      made('option', { value: '' }, 'none'), ...run.bodies.map(({ name }, k) => made('option', { value: k }, name)))
    document.body.append(
      made('header', {}, made('h1', {}, run.title), made('span', { class: 'muted', title: `Scene ${run.sceneHash}` }, facts)), this.stage,
      made('aside', {},
        ...run.description ? [made('p', { class: 'muted' }, run.description)] : [],
        made('h2', {}, 'Body'), made('label', {}, 'Chosen ', this.choice), this.details, made('h2', {}, 'Contacts'), this.table,
        made('h2', {}, 'Energy'), this.chart.canvas, this.chart.legend),
      made('footer', {}, this.play, this.slider, this.clock, speed, made('label', {}, check, 'Forces'), scale,
        made('button', { type: 'button', onclick: () => { this.view?.fit(state.time); this.draw() } }, 'Show all')))
    addEventListener('keydown', event => this.key(event))
  }

  key(event) {
    if (event.target instanceof HTMLInputElement || event.target instanceof HTMLSelectElement || event.target instanceof HTMLButtonElement) return
    const { run, state } = this
    const frame = frameAt(run, state.time)
    const to = { ArrowRight: frame + 1, ArrowLeft: frame - 1, Home: 0, End: run.time.length - 1 }[event.key]
    if (event.key === ' ') this.toggle()
    else if (to === undefined) return
    else this.seek(run.time[Math.min(run.time.length - 1, Math.max(0, to))])
    event.preventDefault()
  }

  seek(time) {
    this.state.playing = false
    // Selects a recorded frame, so that only recorded values are displayed.
    this.state.time = this.run.time[frameAt(this.run, time)]
    this.draw()
  }

  toggle() {
    const { run, state } = this
    const [from, to] = [run.time[0], run.time.at(-1)]
    state.playing = !state.playing
    if (state.playing && state.time >= to) state.time = from
    let before = performance.now()
    const step = now => {
      if (!state.playing) return
      state.time = Math.min(to, state.time + (now - before) / 1000 * state.speed)
      before = now
      if (state.time >= to) state.playing = false
      this.draw()
      if (state.playing) requestAnimationFrame(step)
    }
    if (state.playing) requestAnimationFrame(step)
    this.draw()
  }

  select(body) {
    Object.assign(this.state, { selected: body, contact: null })
    this.draw()
  }

  /** Mouse input: rotating, panning, zooming, selecting. */
  steer() {
    const { view, stage, state } = this
    let from = null
    stage.addEventListener('contextmenu', event => event.preventDefault())
    stage.addEventListener('pointerdown', event => {
      stage.setPointerCapture(event.pointerId)
      from = { x: event.clientX, y: event.clientY, moved: false, shift: event.button !== 0 || event.shiftKey }
    })
    stage.addEventListener('pointermove', event => {
      if (!from || event.buttons === 0) return
      const [dx, dy] = [event.clientX - from.x, event.clientY - from.y]
      if (!from.moved && Math.hypot(dx, dy) < 4) return
      const { camera } = view
      if (from.shift) {
        const { right, up } = view.axes()
        const metres = 2 * camera.distance * Math.tan(Math.PI / 8) / stage.clientHeight
        camera.target = camera.target.map((x, k) => x - right[k] * dx * metres + up[k] * dy * metres)
      } else {
        camera.azimuth -= dx * 0.008
        camera.elevation = Math.min(1.55, Math.max(-1.55, camera.elevation + dy * 0.008))
      }
      from = { ...from, x: event.clientX, y: event.clientY, moved: true }
      this.draw()
    })
    stage.addEventListener('pointerup', event => {
      if (from && !from.moved) this.choose(event.offsetX, event.offsetY)
      from = null
    })
    stage.addEventListener('wheel', event => {
      event.preventDefault()
      view.camera.distance *= Math.exp(event.deltaY * 0.0012)
      this.draw()
    }, { passive: false })
    this.choose = (x, y) => {
      const contacts = contactsOf(this.run, frameAt(this.run, state.time))
      const distances = contacts.map(({ point }) => {
        const at = view.project(point)
        return at ? Math.hypot(at[0] - x, at[1] - y) : Infinity
      })
      const nearest = distances.indexOf(Math.min(...distances))
      if (distances[nearest] < 9) state.contact = nearest
      else Object.assign(state, { selected: view.pick(x, y, state.time), contact: null })
      this.draw()
    }
  }

  draw() {
    const { run, state } = this
    const frame = frameAt(run, state.time)
    const contacts = contactsOf(run, frame)
    if (state.contact !== null && state.contact >= contacts.length) state.contact = null
    this.slider.value = frame
    this.clock.textContent = `${state.time.toFixed(4)} s`
    this.clock.dataset.value = state.time
    this.play.textContent = state.playing ? 'Pause' : 'Play'
    this.choice.value = state.selected === null ? '' : String(state.selected)
    // At factor 1 the arrow of the run's largest force has a fifth of the scene's size.
    const arrowScale = this.largest > 0 ? state.arrowFactor * (this.view?.size ?? 1) / 5 / this.largest : 0
    this.view?.draw(state.time, { ...state, contacts, arrowScale })
    this.chart.draw(state.time)
    this.tellBody(frame)
    this.tellContacts(contacts, frame)
  }

  tellBody(frame) {
    const { run, state } = this
    const { selected } = state
    if (selected !== null && selected >= run.count) return this.tellDeformable(selected - run.count)
    const pose = selected === null ? null : poseAt(run, selected, state.time)
    if (!pose) {
      this.details.replaceChildren(made('p', { class: 'muted' }, selected === null ? 'Click a body or a contact.' : 'It does not exist yet.'))
      return
    }
    const velocity = [...run.velocity.subarray(3 * (frame * run.count + selected), 3 * (frame * run.count + selected) + 3)]
    const rows = [...row('Position', pose.position, 'm'), ...row('Orientation', pose.orientation, ''), ...row('Velocity', velocity, 'm/s')]
    this.details.replaceChildren(made('dl', {}, ...rows))
  }

  /** A vertex of cloth, rope or hair, or a particle. */
  tellDeformable(deformable) {
    const { run, state } = this
    const { first, count } = vertexRange(run, deformable)
    state.vertex = Math.min(state.vertex, count - 1)
    const number = made('input', { 'type': 'number', 'min': 0, 'max': count - 1, 'step': 1, 'value': state.vertex, 'aria-label': 'Vertex', 'onchange': event => {
      state.vertex = Math.min(count - 1, Math.max(0, Math.round(Number(event.target.value))))
      this.draw()
    } })
    const at = 3 * (first + state.vertex)
    const position = [...particlesAt(run, state.time).subarray(at, at + 3)]
    const focused = document.activeElement?.getAttribute('aria-label') === 'Vertex'
    this.details.replaceChildren(made('label', {}, 'Vertex ', number, ` of ${count}`), made('dl', {}, ...row('Position', position, 'm')))
    if (focused) number.focus()
  }

  tellContacts(contacts, frame) {
    const { run, state } = this
    const touches = ({ a, b }) => state.selected === null || a === state.selected || b === state.selected
    const shown = contacts.map((contact, k) => ({ ...contact, k })).filter(touches)
    const name = body => run.bodies[body]?.name ?? ''
    const rows = shown.slice(0, MAX_ROWS).map(({ a, b, k, mode, normalForce, friction, usage }) => {
      const choose = () => { state.contact = state.contact === k ? null : k; this.draw() }
      return made('tr', { 'tabindex': 0, 'aria-selected': String(state.contact === k), 'onclick': choose, 'onkeydown': event => { if (event.key === 'Enter') choose() } },
        made('td', {}, `${name(a)} on ${name(b)}`), made('td', { 'data-value': normalForce }, short(normalForce)), made('td', { 'data-value': friction }, short(friction)),
        made('td', {}, `${Math.round(100 * usage)} %`), made('td', {}, mode))
    })
    const chosen = state.contact === null ? null : contacts[state.contact]
    const heads = ['Between', 'Normal, N', 'Friction, N', 'Used', 'Mode'].map(text => made('th', {}, text))
    const more = shown.length > MAX_ROWS ? [made('p', { class: 'muted' }, `and ${shown.length - MAX_ROWS} more`)] : []
    const detail = chosen ? [made('p', { role: 'status' },
      `${name(chosen.a)} on ${name(chosen.b)}: ${short(chosen.normalForce)} N normal, ${short(chosen.friction)} N friction, `,
      `${(100 * chosen.usage).toFixed(1)} % of its limit used, gap ${accurate(chosen.gap)} m, at ${chosen.point.map(short).join(', ')} m, ${chosen.mode}.`)] : []
    const told = made('p', { class: 'muted' }, `Deepest penetration of this frame: ${accurate(run.penetration[frame])} m.`)
    this.table.replaceChildren(...detail, ...shown.length === 0 ? [made('p', { class: 'muted' }, 'Nothing touches.')]
      : [made('table', { 'aria-label': 'Contacts' }, made('thead', {}, made('tr', {}, ...heads)), made('tbody', {}, ...rows))], ...more, told)
  }
}

/** A line in the list of the selected object's values. */
const row = (name, values, unit) => [made('dt', {}, name),
  made('dd', { 'data-value': JSON.stringify(values), 'title': values.join(', ') }, `${values.map(short).join(', ')} ${unit}`)]

/** Largest force over all frames, N. */
function largestForce(run) {
  let most = 0
  for (let at = 3; at < run.contacts.length; at += run.contactFloats) most = Math.max(most, Math.hypot(...run.contacts.subarray(at, at + 3)))
  return most
}

readRun().then(run => new Page(run), error => document.body.append(made('p', { role: 'alert' }, `The run in this page cannot be read: ${error.message}`)))
