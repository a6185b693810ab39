import { afterEach, describe, expect, it, vi } from 'vitest'
import type { Panel, PanelDeps, PanelModule } from '../panel-contract.ts'
import { readOptions } from '../widget-options.ts'
import { startWidget, type WidgetApi } from './start-widget.ts'

const address = 'https://docent.example.com/widget.js'

let api: WidgetApi
afterEach(() => api?.destroy())

/** A panel that notes what it is told. */
function start(data: Record<string, string> = {}) {
  const calls: string[] = []
  const make = ({ closed }: PanelDeps): Panel => ({
    open: (movesFocus) => void calls.push(`open ${movesFocus}`),
    close: () => closed(),
    ask: (question) => void calls.push(`ask ${question}`),
    restore: () => void calls.push('restore'),
    destroy: () => void calls.push('destroy'),
  })
  const load = vi.fn<() => Promise<PanelModule>>(() =>
    Promise.resolve({ createPanel: (deps) => Promise.resolve(make(deps)) }),
  )
  const options = readOptions({ site: 'docs', ...data }, address)
  if (options === null) throw new Error('There are no options.')
  api = startWidget(options, load)
  const host = document.querySelector('docent-widget')
  return { calls, load, host, launcher: host?.shadowRoot?.querySelector('button') }
}

const press = (target: EventTarget, key: string, init: KeyboardEventInit = {}) =>
  target.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, composed: true, cancelable: true, ...init }))

describe('the launcher', () => {
  it('loads the panel at the first need, once', async () => {
    const { load, launcher, calls } = start()
    expect(load).not.toHaveBeenCalled()

    launcher?.dispatchEvent(new Event('pointerenter'))
    launcher?.click()
    await vi.waitFor(() => expect(calls).toEqual(['open true']))

    expect(load).toHaveBeenCalledTimes(1)
    expect(launcher?.getAttribute('aria-expanded')).toBe('true')
  })

  it('shows that the panel was not loaded, and tries again', async () => {
    const { load, launcher, calls } = start()
    load.mockRejectedValueOnce(new TypeError('offline'))

    launcher?.click()
    await vi.waitFor(() => expect(launcher?.textContent).toContain('Ask ↻'))
    launcher?.click()

    await vi.waitFor(() => expect(calls).toEqual(['open true']))
    expect(launcher?.textContent).toContain('Ask')
  })

  it('follows the theme of the page, unless the tag names one', () => {
    document.documentElement.dataset['theme'] = 'dark'

    expect(start().host?.getAttribute('theme')).toBe('dark')
    api.destroy()
    expect(start({ theme: 'light' }).host?.getAttribute('theme')).toBe('light')
    delete document.documentElement.dataset['theme']
  })
})

describe('the hotkey', () => {
  it('opens and closes', async () => {
    const { calls, launcher } = start()

    press(document, 'i', { ctrlKey: true })
    await vi.waitFor(() => expect(calls).toEqual(['open true']))
    press(document, 'i', { ctrlKey: true })

    expect(launcher?.getAttribute('aria-expanded')).toBe('false')
  })

  it.each([
    ['another key', 'k', { ctrlKey: true }],
    ['one modifier more', 'i', { ctrlKey: true, shiftKey: true }],
    ['a key that is held', 'i', { ctrlKey: true, repeat: true }],
    ['no modifier', 'i', {}],
  ])('is not %s', async (_, key, init) => {
    const { load } = start()

    press(document, key, init)

    expect(load).not.toHaveBeenCalled()
  })

  it('leaves a plain key to whoever types', () => {
    const { load } = start({ hotkey: '/' })
    const field = document.createElement('input')
    document.body.append(field)

    press(field, '/')
    expect(load).not.toHaveBeenCalled()
    press(document.body, '/')

    expect(load).toHaveBeenCalledTimes(1)
    field.remove()
  })

  it('can be turned off', () => {
    const { load, launcher } = start({ hotkey: 'none' })

    press(document, 'i', { ctrlKey: true })

    expect(load).not.toHaveBeenCalled()
    expect(launcher?.querySelector('kbd')).toBeNull()
  })

  it('hides what is typed in the widget from the shortcuts of the page', () => {
    const { launcher } = start()
    const heard: string[] = []
    const hear = (event: KeyboardEvent) => heard.push(event.key)
    document.addEventListener('keydown', hear)

    if (launcher) press(launcher, 's')

    expect(heard).toEqual([])
    document.removeEventListener('keydown', hear)
  })
})

describe('the element', () => {
  it('is put back when a router replaces the body, and its open panel with it', async () => {
    const { host, launcher, calls } = start()
    launcher?.click()
    await vi.waitFor(() => expect(calls).toEqual(['open true']))

    document.body.replaceChildren()
    await vi.waitFor(() => expect(host?.parentNode).toBe(document.body))

    expect(calls).toEqual(['open true', 'restore'])
  })

  it('is gone once it is destroyed, and stays away', async () => {
    const { host } = start()

    api.destroy()
    await Promise.resolve()

    expect(host?.isConnected).toBe(false)
  })
})

describe('the tag', () => {
  it('needs a site', () => {
    expect(readOptions({}, address)).toBeNull()
  })

  it('names the service by its own address, also below a path', () => {
    expect(readOptions({ site: 'docs' }, 'https://example.com/docent/widget.js?v=1')?.url).toBe(
      'https://example.com/docent',
    )
  })
})
