import { describe, expect, it } from 'vitest'
import { acceleratorOf, menuTemplate } from '../../../../main/shell/menu'

const commands = [
  { id: 'file.open', label: 'Open…', menu: 'File', group: 'open', shortcut: 'Ctrl+O', enabled: true },
  { id: 'file.recent', label: 'Open recent', menu: 'File', group: 'open', enabled: true },
  { id: 'edit.undo', label: 'Undo', menu: 'Edit', shortcut: 'Ctrl+Z', enabled: false },
  { id: 'file.save', label: 'Save', menu: 'File', group: 'save', shortcut: 'Ctrl+S', enabled: true },
  { id: 'view.grid', label: 'Grid', menu: 'View', enabled: true, checked: true },
]

describe('the menu from the list of commands', () => {
  it('has a menu for each title, in order, with a line between groups', () => {
    const template = menuTemplate(commands, 'linux', () => {})
    expect(template.map(menu => menu.label)).toEqual(['File', 'Edit', 'View'])
    const file = template[0]!.submenu as { label?: string; type?: string }[]
    expect(file.map(item => item.label ?? item.type)).toEqual(['Open…', 'Open recent', 'separator', 'Save'])
  })

  it('greys what cannot be done and ticks what is on', () => {
    const [, edit, view] = menuTemplate(commands, 'win32', () => {})
    expect(edit!.submenu).toMatchObject([{ id: 'edit.undo', enabled: false }])
    expect(view!.submenu).toMatchObject([{ id: 'view.grid', type: 'checkbox', checked: true }])
  })

  it('names the chosen command', () => {
    const chosen: string[] = []
    const [file] = menuTemplate(commands, 'linux', id => chosen.push(id))
    const items = file!.submenu as { id?: string; click?: () => void }[]
    items.find(item => item.id === 'file.save')!.click!()
    expect(chosen).toEqual(['file.save'])
  })

  it('shows keys without taking them from the page', () => {
    const [file] = menuTemplate(commands, 'linux', () => {})
    expect((file!.submenu as object[])[0]).toMatchObject({ accelerator: 'CmdOrCtrl+O', registerAccelerator: false })
  })

  it('has the application and window menus that a Mac expects', () => {
    expect(menuTemplate(commands, 'darwin', () => {}).map(menu => menu.role ?? menu.label)).toEqual(['appMenu', 'File', 'Edit', 'View', 'windowMenu'])
  })
})

it.each([['Ctrl+Shift+P', 'CmdOrCtrl+Shift+P'], ['F', 'F'], ['Shift+ArrowLeft', 'Shift+Left'], ['Mod+Enter', 'CmdOrCtrl+Enter']])(
  'writes %s as %s', (shortcut, accelerator) => expect(acceleratorOf(shortcut)).toBe(accelerator),
)
