import type { MenuItemConstructorOptions } from 'electron'
import { describe, expect, it } from 'vitest'
import { acceleratorOf, menuTemplate } from '../../../../main/shell/menu'
import type { MenuCommand } from '../../../../main/protocol/shell'

const commands: MenuCommand[] = [
  { id: 'file.open', label: 'Open…', menu: 'File', group: 'open', shortcut: 'Ctrl+O', enabled: true },
  { id: 'file.recent', label: 'Open recent', menu: 'File', group: 'open', enabled: true },
  { id: 'edit.copy', label: 'Copy', menu: 'Edit', shortcut: 'Ctrl+C', enabled: false },
  { id: 'file.save', label: 'Save', menu: 'File', group: 'save', shortcut: 'Ctrl+S', enabled: true },
  { id: 'help.glossary', label: 'Glossary', menu: 'Help', enabled: true },
  { id: 'view.grid', label: 'Grid', menu: 'View', shortcut: 'G', enabled: true, checked: true },
  { id: 'view.top', label: 'Top', menu: 'View', submenu: 'From', enabled: true },
  { id: 'view.front', label: 'Front', menu: 'View', submenu: 'From', enabled: true },
]

const items = (template: MenuItemConstructorOptions[], label: string) =>
  template.find(menu => menu.label === label)!.submenu as MenuItemConstructorOptions[]

describe('the menu bar from the list of commands', () => {
  const template = menuTemplate(commands, () => {})

  it('has a menu for each title, in order, between the system\'s menus', () => {
    expect(template.map(menu => menu.label ?? menu.role)).toEqual(['appMenu', 'File', 'Edit', 'View', 'Windows', 'Help'])
  })

  it('separates groups by lines and collects submenus', () => {
    expect(items(template, 'File').map(item => item.label ?? item.type)).toEqual(['Open…', 'Open recent', 'separator', 'Save'])
    expect(items(items(template, 'View'), 'From').map(item => item.label)).toEqual(['Top', 'Front'])
  })

  it('disables unavailable commands and ticks active ones', () => {
    expect(items(template, 'Edit')[0]).toMatchObject({ id: 'edit.copy', enabled: false })
    expect(items(template, 'View')[0]).toMatchObject({ id: 'view.grid', type: 'checkbox', checked: true })
  })

  it('leaves unmodified keys to the page, and the keys of text fields to them', () => {
    expect(items(template, 'File')[0]).toMatchObject({ accelerator: 'CmdOrCtrl+O' })
    expect(items(template, 'View')[0]).not.toHaveProperty('accelerator')
    expect(items(template, 'Edit')[0]).not.toHaveProperty('accelerator')
    expect(items(items(template, 'Edit'), 'Text field')).toContainEqual({ role: 'copy' })
  })

  it('reports the chosen command', () => {
    const chosen: string[] = []
    const save = items(menuTemplate(commands, id => chosen.push(id)), 'File').find(item => item.id === 'file.save')!
    ;(save.click as () => void)()
    expect(chosen).toEqual(['file.save'])
  })
})

it.each([
  ['Ctrl+Shift+P', 'CmdOrCtrl+Shift+P'], ['F', 'F'], ['Ctrl+ArrowLeft', 'CmdOrCtrl+Left'], ['Ctrl++', 'CmdOrCtrl+Plus'], ['+', 'Plus'], ['Ctrl+Enter', 'CmdOrCtrl+Enter'],
])('writes %s as %s', (shortcut, accelerator) => expect(acceleratorOf(shortcut)).toBe(accelerator))
