import { afterEach, describe, expect, it, vi } from 'vitest'
import type { Panel, PanelModule } from '../panel-contract.ts'
import { DocentWidget } from './docent-widget.ts'

let widget: DocentWidget
afterEach(() => {
  widget?.destroy()
  localStorage.clear()
})

/** A panel that notes what it is told. */
function start(attributes: Record<string, string> = {}) {
  const calls: string[] = []
  const note = (call: string) => void calls.push(call)
  const panel: Panel = {
    open: (request) => note(`open ${JSON.stringify(request)}`),
    close: () => note('close'),
    toggle: () => note('toggle'),
    ask: (question) => note(`ask ${question}`),
    obey: (trigger, type) => note(`${type} ${trigger.id}`),
    update: () => {},
    restore: () => note('restore'),
    destroy: () => note('destroy'),
  }
  const load = vi.fn<(name: string) => Promise<Partial<PanelModule>>>(() =>
    Promise.resolve({ createPanel: () => Promise.resolve(panel) }),
  )
  const tag = { url: 'https://docent.example.com', site: 'docs', key: undefined }
  widget = new DocentWidget({ tag, attributes, load })
  const host = document.querySelector<HTMLElement>('docent-widget')
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
    await vi.waitFor(() => expect(calls).toEqual(['toggle']))

    expect(load).toHaveBeenCalledTimes(1)
  })

  it('shows that the panel was not loaded, and tries again', async () => {
    const { load, launcher, calls } = start()
    load.mockRejectedValueOnce(new TypeError('offline'))

    launcher?.click()
    await vi.waitFor(() => expect(launcher?.textContent).toContain('↻'))
    launcher?.click()

    await vi.waitFor(() => expect(calls).toEqual(['toggle']))
  })

  it('has its label from what the page sets, then the tag, then what was kept, then its language', () => {
    localStorage.setItem('docent-settings:docs', JSON.stringify({ label: 'Kept', accentLight: '#5b3bb0' }))
    const { host, launcher } = start({ label: 'Tag' })
    expect(launcher?.textContent).toContain('Tag')

    widget.update({ label: 'Page' })
    expect(launcher?.textContent).toContain('Page')
    widget.update({ label: null })
    expect(launcher?.textContent).toContain('Tag')
    expect(host?.style.getPropertyValue('--accentLight')).toBe('#5b3bb0')
    widget.destroy()

    expect(start().launcher?.textContent).toContain('Kept')
    widget.destroy()
    localStorage.clear()
    expect(start({ language: 'ja' }).launcher?.textContent).toContain('質問する')
  })

  it('stands in the corner and at the distance that are set, or in an element of the page', () => {
    const { host } = start({ position: 'top-left', offset: '80 16' })
    expect(host?.getAttribute('position')).toBe('top-left')
    expect(host?.style.getPropertyValue('--offset')).toBe('80px 16px')

    const bar = document.createElement('nav')
    bar.id = 'bar'
    document.body.append(bar)
    widget.update({ mode: 'inline', target: '#bar' })

    return vi.waitFor(() => expect(host?.parentElement).toBe(bar)).finally(() => bar.remove())
  })
})

describe('elements of the page', () => {
  it.each([
    ['<button id=x data-docent-open></button>', 'click'],
    ['<a id=x href="#" data-docent-ask="Why?"><b>Ask</b></a>', 'click'],
    ['<input id=x data-docent-open>', 'input'],
    ['<form id=x data-docent-ask><input></form>', 'submit'],
  ])('%s open and ask by %s', async (html, type) => {
    const { calls } = start()
    document.body.insertAdjacentHTML('beforeend', html)
    const element = document.querySelector('#x')

    const event = new Event(type, { bubbles: true, cancelable: true })
    ;(element?.querySelector('b') ?? element)?.dispatchEvent(event)

    await vi.waitFor(() => expect(calls).toEqual([`${type} x`]))
    expect(event.defaultPrevented).toBe(true)
    element?.remove()
  })
})

describe('the hotkey', () => {
  it('opens and closes', async () => {
    const { calls } = start()

    press(document, 'i', { ctrlKey: true })

    await vi.waitFor(() => expect(calls).toEqual(['toggle']))
  })

  it('goes before the page where it was chosen, and after it where it is the usual one', async () => {
    const { calls } = start()
    const take = (event: Event) => event.preventDefault()
    document.body.addEventListener('keydown', take)

    press(document.body, 'i', { ctrlKey: true })
    widget.update({ hotkey: 'mod+k' })
    press(document.body, 'k', { ctrlKey: true })

    await vi.waitFor(() => expect(calls).toEqual(['toggle']))
    document.body.removeEventListener('keydown', take)
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
    expect(launcher?.querySelector('kbd')?.textContent).toBe('')
  })
})

describe('the element', () => {
  it('is put back when a router replaces the body, and its open panel with it', async () => {
    const { host, launcher, calls } = start()
    launcher?.click()
    await vi.waitFor(() => expect(calls).toEqual(['toggle']))

    document.body.replaceChildren()
    await vi.waitFor(() => expect(host?.parentNode).toBe(document.body))

    expect(calls).toEqual(['toggle', 'restore'])
  })

  it('is gone once it is destroyed, and stays away', async () => {
    const { host } = start()

    widget.destroy()
    await Promise.resolve()

    expect(host?.isConnected).toBe(false)
  })
})
