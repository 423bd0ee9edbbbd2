import { createPinia, setActivePinia } from 'pinia'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { registerCommands } from '../../../../renderer/commands'
import { useCommands, type Command } from '../../../../renderer/commands/registry'
import { rankCommands } from '../../../../renderer/commands/search'
import { isInField, normalizeShortcut, shortcutOf, shortcutText } from '../../../../renderer/commands/shortcut'

const press = (key: string, options: KeyboardEventInit = {}) => new KeyboardEvent('keydown', { key, ...options })
const command = (id: string, more: Partial<Command> = {}): Command => ({ id, label: id, run: vi.fn(), ...more })

beforeEach(() => {
  localStorage.clear()
  setActivePinia(createPinia())
})

describe('shortcuts', () => {
  it('are the same however they are written', () => {
    expect(normalizeShortcut('shift+ctrl+p')).toBe('Ctrl+Shift+P')
    expect(shortcutOf(press('P', { ctrlKey: true, shiftKey: true }))).toBe('Ctrl+Shift+P')
    expect(shortcutOf(press('p', { metaKey: true }))).toBe('Ctrl+P')
    expect(shortcutOf(press(' '))).toBe('Space')
    expect(shortcutOf(press('?', { shiftKey: true }))).toBe('?')
    expect(shortcutOf(press('ArrowLeft', { shiftKey: true }))).toBe('Shift+ArrowLeft')
    expect(shortcutOf(press('Control', { ctrlKey: true }))).toBeNull()
    expect(shortcutText('Shift+ArrowLeft')).toBe('Shift+←')
  })

  it('belong to a text field that has the focus', () => {
    const input = document.createElement('input')
    expect(isInField(input)).toBe(true)
    input.type = 'checkbox'
    expect(isInField(input)).toBe(false)
    expect(isInField(document.createElement('button'))).toBe(false)
    const commands = useCommands()
    commands.register([command('delete', { keys: ['Delete'] }), command('save', { keys: ['Ctrl+S'], inFields: true })])
    expect(commands.commandFor(press('Delete'), true)).toBeNull()
    expect(commands.commandFor(press('Delete'), false)?.id).toBe('delete')
    expect(commands.commandFor(press('s', { ctrlKey: true }), true)?.id).toBe('save')
  })
})

describe('the command registry', () => {
  it('does not run disabled commands', async () => {
    const commands = useCommands()
    let enabled = false
    const one = command('one', { enabled: () => enabled })
    commands.register([one])
    await commands.run('one')
    expect(one.run).not.toHaveBeenCalled()
    enabled = true
    await commands.run('one')
    expect(one.run).toHaveBeenCalledOnce()
  })

  it('reports a failure once', async () => {
    const commands = useCommands()
    const told: unknown[] = []
    commands.onError = (failed, error) => told.push([failed.id, (error as Error).message])
    commands.register([command('bad', { run: () => Promise.reject(new Error('no')) })])
    await commands.run('bad')
    expect(told).toEqual([['bad', 'no']])
  })

  it('keeps chosen shortcuts, and shows conflicts', () => {
    const commands = useCommands()
    commands.register([command('one', { keys: ['A'] }), command('two', { keys: ['B'] })])
    commands.setKeys('two', ['a'])
    expect(commands.conflicts).toEqual([{ shortcut: 'A', commands: ['one', 'two'] }])
    setActivePinia(createPinia())
    const again = useCommands()
    again.register([command('one', { keys: ['A'] }), command('two', { keys: ['B'] })])
    expect(again.shortcutLabel('two')).toBe('A')
    again.setKeys('two', null)
    expect(again.shortcutLabel('two')).toBe('B')
  })

  it('holds every command of the editor once, with no two on one key', () => {
    registerCommands()
    const commands = useCommands()
    expect(commands.all.length).toBeGreaterThan(80)
    expect(commands.conflicts).toEqual([])
    for (const one of commands.all) expect(one.label, one.id).toMatch(/^[A-Z]/)
  })
})

describe('finding a command', () => {
  const entries = ['File: Save', 'File: Save as…', 'View: Frame selection', 'Add: Sphere'].map(label => ({ label }))

  it('ranks beginnings of words before letters in order', () => {
    expect(rankCommands(entries, 'save').map(one => one.label)).toEqual(['File: Save', 'File: Save as…'])
    expect(rankCommands(entries, 'fs')[0]!.label).toBe('File: Save')
    expect(rankCommands(entries, 'add sph').map(one => one.label)).toEqual(['Add: Sphere'])
    expect(rankCommands(entries, 'zzz')).toEqual([])
    expect(rankCommands(entries, '')).toHaveLength(4)
  })
})
