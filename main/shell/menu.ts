import type { MenuItemConstructorOptions } from 'electron'
import type { MenuCommand } from '../protocol/shell'

/** Shortcuts that text fields on macOS get only through menu items with these roles. */
const textRoles = { 'Ctrl+Z': 'undo', 'Ctrl+Shift+Z': 'redo', 'Ctrl+X': 'cut', 'Ctrl+C': 'copy', 'Ctrl+V': 'paste', 'Ctrl+A': 'selectAll' } as const

/** Converts a shortcut of the page to Electron's notation: Ctrl is Command on a Mac. */
export function acceleratorOf(shortcut: string): string {
  return shortcut
    .replace(/\bCtrl\b/, 'CmdOrCtrl')
    .replace(/\bArrow(Up|Down|Left|Right)\b/, '$1')
    .replace(/(^|\+)\+$/, '$1Plus')
}

/**
 * The menu bar of a Mac from the editor's commands, in their order: one menu for each title, submenus where named, a line between groups. (On other
 * systems the page's own menu bar, made from the same commands, is the only one.) The page gets keys before the menu does, so the menu shows only
 * shortcuts with Ctrl, and leaves those of text fields to items with roles.
 */
export function menuTemplate(commands: readonly MenuCommand[], choose: (id: string) => void): MenuItemConstructorOptions[] {
  const menus = new Map<string, MenuItemConstructorOptions[]>()
  const lastGroup = new Map<MenuItemConstructorOptions[], string | undefined>()
  for (const command of commands) {
    const menu = menus.get(command.menu) ?? []
    menus.set(command.menu, menu)
    const items = command.submenu === undefined ? menu : submenuOf(menu, command.submenu)
    if (items.length > 0 && lastGroup.get(items) !== command.group) items.push({ type: 'separator' })
    items.push(itemOf(command, choose))
    lastGroup.set(items, command.group)
  }
  const text: MenuItemConstructorOptions = { label: 'Text field', submenu: Object.values(textRoles).map(role => ({ role })) }
  menus.set('Edit', [...(menus.get('Edit') ?? []), { type: 'separator' }, text])
  return [
    { role: 'appMenu' },
    ...[...menus].filter(([label]) => label !== 'Help').map(([label, submenu]) => ({ label, submenu })),
    { role: 'windowMenu', label: 'Windows' },
    ...(menus.has('Help') ? [{ role: 'help' as const, label: 'Help', submenu: menus.get('Help') }] : []),
  ]
}

function itemOf(command: MenuCommand, choose: (id: string) => void): MenuItemConstructorOptions {
  const { id, label, enabled, checked, shortcut } = command
  const shown = shortcut !== undefined && /^Ctrl\+/.test(shortcut) && !(shortcut in textRoles)
  return {
    id, label, enabled, click: () => choose(id),
    ...(checked === undefined ? {} : { type: 'checkbox', checked }),
    ...(shown ? { accelerator: acceleratorOf(shortcut) } : {}),
  }
}

function submenuOf(menu: MenuItemConstructorOptions[], label: string): MenuItemConstructorOptions[] {
  const found = menu.find(item => item.label === label && Array.isArray(item.submenu))
  if (found) return found.submenu as MenuItemConstructorOptions[]
  const submenu: MenuItemConstructorOptions[] = []
  menu.push({ label, submenu })
  return submenu
}
