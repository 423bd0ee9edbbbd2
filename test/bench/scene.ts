import { parseScene, resolveScene, sceneHash, setValue, writeScene, type Scene } from '../../core/scene'
import { readJson } from '../../core/scene/json-text'
import { best, report } from './support/timing'

const count = 10_000

const scene: Scene = {
  format: 'cairn-scene',
  version: 1,
  materials: [{ id: 'steel', density: 7850, friction: { static: 0.74, dynamic: 0.42 } }],
  bodies: Array.from({ length: count }, (_, i) => ({
    id: `body-${i}`, type: 'dynamic', position: [i % 100, Math.floor(i / 100), 1], orientation: [0, 0, 0, 1], linearVelocity: [0, 0, 0],
    angularVelocity: [0, 0, 0],
    shapes: [{ type: 'box', size: [1, 1, 1], material: 'steel', position: [0, 0, 0], orientation: [0, 0, 0, 1] }],
  })),
}

/** A scene of 10,000 boxes in all operations on a document. */
export default function (): void {
  const text = JSON.stringify(scene)
  const parsed = parseScene(text)
  if (!parsed.ok) throw new Error('the scene of the benchmark is invalid')
  const source = { text, scene: parsed.scene }
  const edited = setValue(parsed.scene, ['bodies', 5000, 'position'], [1, 2, 3])
  if (!edited.ok) throw new Error('the edit of the benchmark is invalid')
  writeScene(parsed.scene, source)
  resolveScene(parsed.scene)
  report(`${count} boxes, ${(text.length / 1e6).toFixed(1)} MB`, {
    'JSON.parse alone': best(() => JSON.parse(text) as unknown),
    'read JSON (duplicate keys, depth, forbidden keys)': best(() => readJson(text)),
    'validate and resolve a value': best(() => parseScene(parsed.scene)),
    'read, validate and resolve the text': best(() => parseScene(text)),
    'canonical SHA-256': best(() => sceneHash(parsed.resolved)),
    'edit one body, validated': best(() => setValue(parsed.scene, ['bodies', 5000, 'position'], [1, 2, 3]), 200),
    'resolve after an edit': best(() => resolveScene(edited.scene)),
    'write after an edit': best(() => writeScene(edited.scene, source)),
  })
}
