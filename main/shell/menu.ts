import type { MenuItemConstructorOptions } from 'electron'
import type { MenuCommand } from '../protocol/shell'

/** The page's spelling of a shortcut in Electron's: Ctrl is Command on a Mac. */
export function acceleratorOf(shortcut: string): string {
  return shortcut
    .replace(/\b(Ctrl|Mod)\b/, 'CmdOrCtrl')
    .replace(/\bArrow(Up|Down|Left|Right)\b/, '$1')
}

/**
 * The application's menu from the editor's commands, in their order: one top-level menu for each `menu`, a line between groups. Keys are
 * shown but not taken (`registerAccelerator: false`): the page hears them first and knows which field has the focus.
 */
export function menuTemplate(
  commands: readonly MenuCommand[], platform: string, choose: (id: string) => void,
): MenuItemConstructorOptions[] {
  const menus = new Map<string, MenuItemConstructorOptions[]>()
  const lastGroup = new Map<string, string | undefined>()
  for (const command of commands) {
    const items = menus.get(command.menu) ?? []
    if (items.length > 0 && lastGroup.get(command.menu) !== command.group) items.push({ type: 'separator' })
    items.push({
      id: command.id,
      label: command.label,
      enabled: command.enabled,
      ...(command.checked === undefined ? {} : { type: 'checkbox', checked: command.checked }),
      ...(command.shortcut === undefined ? {} : { accelerator: acceleratorOf(command.shortcut), registerAccelerator: false }),
      click: () => choose(command.id),
    })
    menus.set(command.menu, items)
    lastGroup.set(command.menu, command.group)
  }
  const template: MenuItemConstructorOptions[] = [...menus].map(([label, submenu]) => ({ label, submenu }))
  return platform === 'darwin' ? [{ role: 'appMenu' }, ...template, { role: 'windowMenu' }] : template
}
