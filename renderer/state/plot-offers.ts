/** Quantities of the document's scene and its run that can be plotted, with labels for users. */

import { freedomsOf, type Scene } from '../../core/scene'
import { SENSOR_QUANTITIES } from '../../core/trajectory/sensors'
import type { ContactKey, SeriesRequest } from '../../main/protocol/runs'
import { ACCURACY_PLOT, ENERGY_PLOT, titleOfRequest } from './plots'
import { bodiesOf, jointsOf, titleOf } from './scene-access'

export interface Offer { readonly label: string; readonly title: string; readonly requests: readonly SeriesRequest[] }

/** Maximum length of each list; further bodies and joints can be plotted from the inspector. */
const MAX_OFFERED = { bodies: 200, joints: 50, sensors: 50, deformables: 20 } as const
const AXES = ['x', 'y', 'z'] as const

const momentum = (quantity: 'linear' | 'angular') => AXES.map((component): SeriesRequest => ({ what: 'momentum', quantity, component }))

export function plotOffers(scene: Scene, contact: ContactKey | null, scripts: readonly string[]): readonly Offer[] {
  const list: Offer[] = [
    { label: 'Energy', title: 'Energy', requests: ENERGY_PLOT },
    { label: 'Momentum', title: 'Momentum', requests: momentum('linear') }, { label: 'Angular momentum about the origin', title: 'Angular momentum', requests: momentum('angular') },
    { label: 'Energy lost', title: 'Energy lost', requests: (['friction', 'impacts', 'drag', 'joints', 'scripts'] as const).map(quantity => ({ what: 'energy', quantity })) },
    { label: 'Accuracy', title: 'Accuracy', requests: ACCURACY_PLOT },
    { label: 'Number of contacts', title: 'Contacts', requests: [{ what: 'certificate', quantity: 'contacts' }] },
  ]
  if (contact) {
    const title = titleOfRequest({ what: 'contact', contact, quantity: 'gap' })
    list.push({ label: 'Selected contact: forces', title, requests: [{ what: 'contact', contact, quantity: 'normalForce' }, { what: 'contact', contact, quantity: 'frictionForce' }] })
  }
  for (const name of scripts) list.push({ label: `Script: ${name}`, title: name, requests: [{ what: 'script', name }] })
  for (const body of bodiesOf(scene)) {
    if (body.type === 'fixed') continue
    const name = titleOf(body)
    list.push({ label: `${name}: speed`, title: `Speed of ${name}`, requests: [{ what: 'body', body: body.id, quantity: 'linearVelocity', component: 'magnitude' }] })
    list.push({ label: `${name}: velocity x, y, z`, title: `Velocity of ${name}`, requests: AXES.map(component => ({ what: 'body', body: body.id, quantity: 'linearVelocity', component })) })
    list.push({ label: `${name}: position x, y, z`, title: `Position of ${name}`, requests: AXES.map(component => ({ what: 'body', body: body.id, quantity: 'position', component })) })
    list.push({ label: `${name}: angular velocity`, title: `Turning of ${name}`, requests: [{ what: 'body', body: body.id, quantity: 'angularVelocity', component: 'magnitude' }] })
    if (list.length > MAX_OFFERED.bodies) break
  }
  for (const joint of jointsOf(scene).slice(0, MAX_OFFERED.joints)) {
    freedomsOf(joint).forEach(({ label }, coordinate) => {
      list.push({ label: `${titleOf(joint)}: ${label}`, title: `Joint ${titleOf(joint)}`, requests: [{ what: 'joint', joint: joint.id, quantity: 'position', coordinate }] })
      list.push({ label: `${titleOf(joint)}: rate of ${label}`, title: `Joint ${titleOf(joint)}`, requests: [{ what: 'joint', joint: joint.id, quantity: 'velocity', coordinate }] })
    })
    for (const quantity of ['force', 'torque'] as const) list.push({ label: `${titleOf(joint)}: ${quantity}`, title: `Joint ${titleOf(joint)}`, requests: [{ what: 'joint', joint: joint.id, quantity }] })
  }
  for (const deformable of (scene.deformables ?? []).slice(0, MAX_OFFERED.deformables)) {
    const [name, of] = [titleOf(deformable), { what: 'deformable', deformable: deformable.id } as const]
    list.push(
      { label: `${name}: strain`, title: `Strain of ${name}`, requests: [{ ...of, quantity: 'worstStrain' }, { ...of, quantity: 'meanStrain' }] },
      { label: `${name}: energies`, title: `Energies of ${name}`, requests: (['kinetic', 'stretching', 'bending'] as const).map(quantity => ({ ...of, quantity })) },
    )
    if (deformable.type !== 'cloth') list.push({ label: `${name}: largest tension`, title: `Tension of ${name}`, requests: [{ ...of, quantity: 'largestTension' }] })
  }
  for (const sensor of (scene.sensors ?? []).slice(0, MAX_OFFERED.sensors)) {
    for (const { name, length } of SENSOR_QUANTITIES[sensor.type] ?? []) {
      const components = length === 1 ? ['x'] as const : AXES
      list.push({
        label: `${titleOf(sensor)}: ${name.replace(/[A-Z]/g, letter => ` ${letter.toLowerCase()}`)}`, title: titleOf(sensor),
        requests: components.map(component => ({ what: 'sensor', sensor: sensor.id, quantity: name, component })),
      })
    }
  }
  return list
}

/** The same one by one for an axis: vectors are offered by component. */
export function axisOffers(offers: readonly Offer[]): readonly { readonly label: string; readonly request: SeriesRequest }[] {
  return offers.flatMap(({ label, requests }) => requests.map(request => ({
    request, label: requests.length === 1 ? label : `${label.replace(/ x, y, z$/, '')} ${'component' in request ? request.component : 'quantity' in request ? request.quantity : ''}`,
  })))
}
