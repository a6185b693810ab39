import type { Emit, Panel, PanelModule, WidgetEvents } from '../panel-contract.ts'
import type { WidgetOptions } from '../widget-options.ts'
import { describeHotkey, isHotkey } from './hotkeys.ts'
import { keepInBody } from './keep-in-body.ts'
import css from './launcher.css?inline'
import { watchTheme } from './watch-theme.ts'

/** `window.docent`. */
export interface WidgetApi {
  open(): void
  close(): void
  /** Opens the panel and asks. */
  ask(question: string): void
  destroy(): void
  /** @returns Stops listening. */
  on<Name extends keyof WidgetEvents>(name: Name, listener: (detail: WidgetEvents[Name]) => void): () => void
  /** A call as a list, the form of the queue that a page may fill before the script has run. */
  push(...calls: WidgetCall[]): void
}

export type WidgetCall = readonly [name: 'open' | 'close' | 'ask' | 'destroy' | 'on', ...values: unknown[]]

/**
 * Puts the launcher on the page, and loads the panel when it is first needed.
 *
 * @param loadPanel Loads the code of the panel.
 */
export function startWidget(options: WidgetOptions, loadPanel: () => Promise<PanelModule>): WidgetApi {
  const host = document.createElement('docent-widget')
  const root = host.attachShadow({ mode: 'open' })
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(css)
  root.adoptedStyleSheets = [sheet]
  const launcher = makeLauncher(options)
  root.append(launcher)
  const openName = `docent-open:${options.site}`
  let loading: Promise<Panel> | null = null
  let panel: Panel | null = null
  let isOpen = false

  const emit: Emit = (name, detail) =>
    void host.dispatchEvent(new CustomEvent(`docent:${name}`, { detail, bubbles: true, composed: true }))

  function setOpen(value: boolean): void {
    if (isOpen === value) return
    isOpen = value
    launcher.setAttribute('aria-expanded', String(value))
    // A panel stays open across page loads.
    remember(openName, value && options.mode === 'panel')
    emit(value ? 'open' : 'close', null)
  }

  async function makePanel(): Promise<Panel> {
    const { createPanel } = await loadPanel()
    panel = await createPanel({ root, options, emit, closed })
    return panel
  }

  /** A failed load is tried again at the next need. */
  function load(): Promise<Panel> {
    loading ??= makePanel().catch((error: unknown) => {
      loading = null
      throw error
    })
    return loading
  }

  function withPanel(use: (panel: Panel) => void): void {
    load().then(use, () => {
      launcher.firstElementChild?.replaceChildren(`${options.label} ↻`)
      emit('error', { message: 'The panel could not be loaded.', code: 'unreachable' })
    })
  }

  function closed(): void {
    setOpen(false)
  }

  function open(movesFocus = true): void {
    withPanel((panel) => {
      if (!host.isConnected) return
      launcher.firstElementChild?.replaceChildren(options.label)
      setOpen(true)
      panel.open(movesFocus)
    })
  }

  const toggle = () => (isOpen ? panel?.close() : open())
  const onKey = (event: KeyboardEvent) => {
    if (!isHotkey(event, options.hotkey)) return
    event.preventDefault()
    toggle()
  }
  const preload = () => void load().catch(() => {})
  launcher.addEventListener('click', toggle)
  launcher.addEventListener('pointerenter', preload)
  launcher.addEventListener('focus', preload)
  document.addEventListener('keydown', onKey, options.isHotkeyChosen)
  root.addEventListener('keydown', (event) => event instanceof KeyboardEvent && onKey(event))
  // Otherwise the page's single-letter shortcuts would run while somebody types here.
  for (const name of ['keydown', 'keypress', 'keyup']) root.addEventListener(name, (event) => event.stopPropagation())
  const stopTheme = watchTheme((theme) => host.setAttribute('theme', options.theme === 'auto' ? theme : options.theme))
  const remove = keepInBody(host, () => isOpen && panel?.restore())

  const api: WidgetApi = {
    open: () => open(),
    close: () => panel?.close(),
    ask(question) {
      open()
      withPanel((panel) => panel.ask(question))
    },
    destroy() {
      setOpen(false)
      panel?.destroy()
      document.removeEventListener('keydown', onKey, options.isHotkeyChosen)
      stopTheme()
      remove()
    },
    on(name, listener) {
      // Only `emit` sends these events.
      const hear = (event: Event) => listener((event as CustomEvent).detail)
      host.addEventListener(`docent:${name}`, hear)
      return () => host.removeEventListener(`docent:${name}`, hear)
    },
    push(...calls) {
      // The queue is untyped: pages write it before the script is there.
      for (const [name, ...values] of calls) (api[name] as (...values: unknown[]) => void)(...values)
    },
  }
  queueMicrotask(() => emit('ready', null))
  if (isRemembered(openName)) open(false)
  return api
}

function makeLauncher({ label, hotkey }: WidgetOptions): HTMLButtonElement {
  const button = document.createElement('button')
  button.type = 'button'
  button.className = 'launch'
  button.setAttribute('part', 'button')
  button.setAttribute('aria-haspopup', 'dialog')
  button.setAttribute('aria-expanded', 'false')
  const text = document.createElement('span')
  text.append(label)
  button.append(text)
  if (hotkey) {
    const keys = document.createElement('kbd')
    keys.append(describeHotkey(hotkey))
    keys.setAttribute('aria-hidden', 'true')
    button.append(keys)
  }
  return button
}

/** Browsers may refuse storage; the panel is then closed after a page load. */
function remember(name: string, value: boolean): void {
  try {
    if (value) sessionStorage.setItem(name, '1')
    else sessionStorage.removeItem(name)
  } catch {}
}

function isRemembered(name: string): boolean {
  try {
    return sessionStorage.getItem(name) !== null
  } catch {
    return false
  }
}
