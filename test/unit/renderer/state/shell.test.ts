import { createPinia, setActivePinia } from 'pinia'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { useShell } from '../../../../renderer/state/shell'

beforeEach(() => {
  setActivePinia(createPinia())
  vi.useFakeTimers()
})
afterEach(() => { vi.useRealTimers() })

describe('messages', () => {
  const texts = () => useShell().messages.map(({ text }) => text)
  const retry = { label: 'Again', run: () => undefined }

  it('stay until they are dismissed if they are errors, each once', () => {
    const shell = useShell()
    shell.notify('no', { kind: 'error' })
    shell.notify('no', { kind: 'error' })
    vi.advanceTimersByTime(3_600_000)
    expect(texts()).toEqual(['no'])
    shell.dismiss(shell.messages[0]!.id)
    expect(texts()).toEqual([])
  })

  it('go by themselves if they are hints, and the next hint takes their place, unless they offer an action', () => {
    const shell = useShell()
    shell.notify('with a choice', { action: retry, seconds: 20 })
    shell.notify('one')
    shell.notify('two')
    expect(texts()).toEqual(['with a choice', 'two'])
    vi.advanceTimersByTime(6000)
    expect(texts()).toEqual(['with a choice'])
    vi.advanceTimersByTime(15_000)
    expect(texts()).toEqual([])
  })

  it('are one line if something was done as asked, which the next replaces for its own time', () => {
    const shell = useShell()
    shell.confirm('Saved a')
    vi.advanceTimersByTime(4000)
    shell.confirm('Saved b')
    expect(texts()).toEqual([])
    vi.advanceTimersByTime(4000)
    expect(shell.done?.text).toBe('Saved b')
    vi.advanceTimersByTime(1500)
    expect(shell.done).toBeNull()
  })

  it('stay longer if they are longer', () => {
    const shell = useShell()
    shell.notify('long '.repeat(60))
    vi.advanceTimersByTime(20_000)
    expect(texts()).toHaveLength(1)
    vi.advanceTimersByTime(10_000)
    expect(texts()).toHaveLength(0)
  })
})
