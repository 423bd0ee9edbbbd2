import { expect, it } from 'vitest'
import { documentArgument } from '../../../../main/shell/arguments'

it('finds the document among switches and the application folder', () => {
  expect(documentArgument(['/opt/cairn', '--enable-logging', 'scenes/door.cairn.json'], '/home/a')).toBe('/home/a/scenes/door.cairn.json')
  expect(documentArgument(['/data/run.mcap', 'other.cairn'], '/home/a')).toBe('/data/run.mcap')
  expect(documentArgument(['Door.CAIRN'], '/home/a')).toBe('/home/a/Door.CAIRN')
})

it('finds none where none is named', () => {
  expect(documentArgument([], '/')).toBeNull()
  expect(documentArgument(['/opt/cairn', '--scene=x.cairn'], '/')).toBeNull()
})
