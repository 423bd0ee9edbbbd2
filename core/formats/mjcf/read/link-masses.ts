/** Masses of a model's links: as stated, or from their geoms, scaled to the requested total. */

import { scaleMatrix } from '../../../math/matrix'
import { addMasses, type BodyMass } from '../../shared/inertia'
import { append } from './lists'
import type { Source } from './source'

export class LinkMasses {
  private readonly stated = new Map<number, BodyMass>()
  private readonly ofGeoms = new Map<number, (() => BodyMass | null)[]>()

  state(link: number, mass: BodyMass): void {
    this.stated.set(link, mass)
  }

  addGeom(link: number, mass: () => BodyMass | null): void {
    append(this.ofGeoms, link, mass)
  }

  weigh(links: readonly { mass: BodyMass | null }[], source: Source): void {
    const mode = source.setting('inertiafromgeom', 'auto')
    links.forEach((link, i) => {
      const stated = mode === 'true' ? undefined : this.stated.get(i)
      const geoms = stated !== undefined || mode === 'false' ? [] : (this.ofGeoms.get(i) ?? []).map(mass => mass()).filter(mass => mass !== null)
      link.mass = stated ?? (geoms.length > 0 ? addMasses(geoms) : null)
    })
    this.ofGeoms.clear()
    const wanted = Number(source.setting('settotalmass', '-1'))
    const total = links.reduce((sum, link) => sum + (link.mass?.mass ?? 0), 0)
    if (!(wanted > 0 && total > 0)) return
    const factor = wanted / total
    for (const link of links) {
      if (link.mass !== null) link.mass = { ...link.mass, mass: link.mass.mass * factor, inertia: scaleMatrix(link.mass.inertia, factor) }
    }
  }
}
