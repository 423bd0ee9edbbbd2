import { PANEL_IDS, PANEL_TITLES } from '../state/panels'
import { useShell, WORKSPACE_LABELS, type Workspace } from '../state/shell'
import type { Command } from './registry'

const WORKSPACES: readonly Workspace[] = ['compose', 'inspect', 'script']

export function windowCommands(): Command[] {
  const shell = useShell()
  return [
    ...WORKSPACES.map((workspace, i): Command => ({
      id: `window.workspace.${workspace}`, label: WORKSPACE_LABELS[workspace], menu: 'Window', group: 'workspaces', keys: [`Alt+${i + 1}`], inFields: true,
      checked: () => shell.workspace === workspace, run: () => shell.switchWorkspace(workspace),
    })),
    ...PANEL_IDS.map((id): Command => ({
      id: `window.panel.${id}`, label: PANEL_TITLES[id], menu: 'Window', group: 'panels', submenu: 'Panels', run: () => shell.openPanel(id),
    })),
    { id: 'window.nextPanel', label: 'Next panel', menu: 'Window', group: 'panels', keys: ['F6'], inFields: true, help: 'Moves the keyboard there.', run: () => shell.moveFocus(1) },
    { id: 'window.previousPanel', label: 'Previous panel', menu: 'Window', group: 'panels', keys: ['Shift+F6'], inFields: true, run: () => shell.moveFocus(-1) },
    { id: 'window.reset', label: 'Reset layout', menu: 'Window', group: 'layout', help: 'Of this workspace.', run: () => shell.resetLayout() },
    { id: 'help.palette', label: 'All commands…', menu: 'Help', group: 'commands', keys: ['Ctrl+Shift+P', 'F1'], inFields: true, run: () => {
      shell.paletteFilter = ''
      shell.dialog = 'palette'
    } },
    { id: 'help.shortcuts', label: 'Shortcuts…', menu: 'Help', group: 'commands', keys: ['?'], run: () => { shell.dialog = 'shortcuts' } },
    { id: 'help.glossary', label: 'Glossary…', menu: 'Help', group: 'about', run: () => { shell.dialog = 'glossary' } },
    { id: 'help.about', label: 'About Cairn…', menu: 'Help', group: 'about', run: () => { shell.dialog = 'about' } },
  ]
}
