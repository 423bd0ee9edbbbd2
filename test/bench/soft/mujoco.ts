/** The sheet as a two-dimensional flex of MuJoCo: finite elements of a plate with the same stiffness along its threads. */

import { BALL, FRICTION, GRAVITY, MASS, RADIUS, STEP, STRETCH, type Sheet, type SoftWorld } from './sheet'

/** m: of the plate whose Young's modulus × this is the stiffness of the sheet. */
const THICKNESS = 1e-3

interface Data { readonly flexvert_xpos: ArrayLike<number> }
interface MuJoCo {
  readonly MjModel: { from_xml_string(text: string): object }
  readonly MjData: new (model: object) => Data
  mj_step(model: object, data: Data): void
  mj_forward(model: object, data: Data): void
}

export async function mujoco(load: (path: string) => Promise<unknown>, sheet: Sheet): Promise<SoftWorld> {
  const mj = await ((await load('@mujoco/mujoco')) as { default: () => Promise<MuJoCo> }).default()
  const { cells, size, vertices } = sheet
  const model = mj.MjModel.from_xml_string(`<mujoco>
    <option timestep="${STEP}" gravity="0 0 ${-GRAVITY}" integrator="discrete" cone="elliptic"/>
    <size memory="500M"/>
    <worldbody>
      <geom type="sphere" size="${BALL}" friction="${FRICTION} 0 0"/>
      <flexcomp name="sheet" type="grid" dim="2" count="${cells + 1} ${cells + 1} 1" spacing="${size} ${size} ${size}" pos="0 0 ${vertices[0]![2]!}"
        radius="${RADIUS}" mass="${MASS}">
        <elasticity young="${STRETCH / THICKNESS}" poisson="0" thickness="${THICKNESS}" damping="0.02" elastic2d="both"/>
        <contact selfcollide="auto" internal="false" friction="${FRICTION} 0 0"/>
      </flexcomp>
    </worldbody></mujoco>`)
  const data = new mj.MjData(model)
  mj.mj_forward(model, data)
  return { step: () => { mj.mj_step(model, data) }, positions: () => Float64Array.from(data.flexvert_xpos) }
}
