/** Adds a script to the document, with the force that runs it, and opens it in the editor. */

import { freedomsOf, freshId } from '../../core/scene'
import { useDocument } from './document'
import { newElement } from './free-names'
import { newController, newScript } from './new-force'
import { bodiesOf, jointsOf, typeOf } from './scene-access'
import { useScripts } from './scripts'
import { useShell } from './shell'

export function createScript(kind: 'force' | 'controller'): void {
  const document = useDocument()
  const { scene } = document
  const body = bodiesOf(scene).find(one => typeOf(one) === 'dynamic')
  if (!body) return useShell().notify('Add a body first: a script acts on bodies')
  const joint = jointsOf(scene).find(one => freedomsOf(one).length > 0)
  const script = kind === 'force' ? newScript(freshId(scene, 'push.ts'), body.id) : newController(freshId(scene, 'control.ts'), body.id, joint?.id ?? null)
  document.edit(kind === 'force' ? 'add script' : 'add controller', draft => {
    (draft.scripts ??= []).push(script)
    ;(draft.forces ??= []).push({ ...kind === 'force' ? newElement(document.scene, 'Script force', 'script-force') : newElement(document.scene, 'Controller', 'controller'), type: 'script', script: script.id })
  })
  useScripts().open(script.id)
}
