import { expect, it } from 'vitest'
import { documentArguments } from '../../../../main/shell/arguments'

it('finds the document among switches and the application folder', () => {
  expect(documentArguments(['/opt/cairn', '--enable-logging', 'scenes/door.cairn.json'], '/home/a')).toStrictEqual(['/home/a/scenes/door.cairn.json'])
  expect(documentArguments(['/data/run.mcap', 'other.cairn', '/data/run.mcap'], '/home/a')).toStrictEqual(['/data/run.mcap', '/home/a/other.cairn'])
  expect(documentArguments(['Door.CAIRN'], '/home/a')).toStrictEqual(['/home/a/Door.CAIRN'])
})

it('finds none if none is named', () => {
  expect(documentArguments([], '/')).toStrictEqual([])
  expect(documentArguments(['/opt/cairn', '--scene=x.cairn'], '/')).toStrictEqual([])
})

it('accepts the file URLs that Linux desktops pass, and no others', () => {
  expect(documentArguments(['file:///home/a/two%20doors.cairn.json', 'file:///home/a/run.mcap'], '/')).toStrictEqual(['/home/a/two doors.cairn.json', '/home/a/run.mcap'])
  expect(documentArguments(['file://elsewhere/x.cairn', 'file:///a%2Fb.cairn', 'file:///home/a/picture.png'], '/')).toStrictEqual([])
})
