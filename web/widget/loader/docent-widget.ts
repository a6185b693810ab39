import { describeHotkey, isHotkey, normalizeHotkey } from '../hotkeys.ts'
import type {
  Emit,
  Given,
  OfferModule,
  OpenRequest,
  Panel,
  PanelModule,
  WidgetEvents,
  WidgetTag,
} from '../panel-contract.ts'
import { readItem } from './read-item.ts'
import { chooseLanguage, launcherWords } from '../words/languages.ts'
import { keepOnPage } from './keep-on-page.ts'
import css from './launcher.css?inline'
import { makeLauncher } from './make-launcher.ts'

interface WidgetDeps {
  tag: WidgetTag
  /** `dataset` of the script tag. */
  attributes: Given
  /** Loads a script of the service as a module. */
  load(name: string): Promise<unknown>
}

export type WidgetCall = readonly [
  name: 'open' | 'close' | 'ask' | 'update' | 'destroy' | 'on' | 'push',
  ...values: unknown[],
]

/** `window.docent`: the button. All else is in the panel, which is loaded when it is first needed. */
export class DocentWidget {
  readonly #deps: WidgetDeps
  readonly #host = document.createElement('docent-widget')
  readonly #root = this.#host.attachShadow({ mode: 'open' })
  readonly #launcher = makeLauncher()
  readonly #ending = new AbortController()
  /** The owner's settings as of the reader's last visit, until they are fetched again. */
  #served: Given
  #updates: Given = {}
  #hotkey = ''
  #panel: Panel | null = null
  #loading: Promise<Panel> | null = null

  constructor(deps: WidgetDeps) {
    this.#deps = deps
    // Written by the panel, and parsed by name like any other source.
    this.#served = (readItem('localStorage', `docent-settings:${deps.tag.site}`) ?? {}) as Given
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(css)
    this.#root.adoptedStyleSheets = [sheet]
    const [button] = this.#launcher
    this.#root.append(button)
    this.#apply()
    const { signal } = this.#ending
    button.addEventListener('click', this.#toggle)
    for (const name of ['pointerenter', 'focus']) button.addEventListener(name, () => this.#use(() => {}))
    for (const isFirst of [true, false]) {
      document.addEventListener('keydown', (event) => this.#onKey(event, isFirst), { capture: isFirst, signal })
    }
    for (const name of ['click', 'input', 'submit']) document.addEventListener(name, this.#onTrigger, { signal })
    keepOnPage(this.#host, this.#findPlace, () => this.#panel?.restore(), signal)
    queueMicrotask(() => this.#emit('ready', null))
    if ('modelContext' in document) this.#offer('tools')
    if (readItem('sessionStorage', `docent-open:${deps.tag.site}`)) this.open({ isQuiet: true })
  }

  /** Opens the panel. */
  open(request: OpenRequest = {}): void {
    this.#use((panel) => panel.open(request))
  }

  close(): void {
    this.#panel?.close()
  }

  /** Opens the panel and asks. */
  ask(question: string): void {
    this.#use((panel) => panel.ask(question))
  }

  /** Sets settings, which take precedence over attributes. Null takes back what was set here. */
  update(settings: Given): void {
    this.#updates = { ...this.#updates, ...settings }
    this.#apply()
  }

  /** @returns Stops listening. */
  on<Name extends keyof WidgetEvents>(name: Name, listener: (detail: WidgetEvents[Name]) => void): () => void {
    const ending = new AbortController()
    // Only `#emit` sends these events.
    const hear = (event: Event) => listener((event as CustomEvent).detail)
    this.#host.addEventListener(`docent:${name}`, hear, ending)
    return () => ending.abort()
  }

  /** A call as a list, the form of the queue that a page may fill before the script has run. */
  push(...calls: WidgetCall[]): void {
    // The queue is untyped: pages write it before the script is there.
    for (const [name, ...values] of calls) (this[name] as (...values: unknown[]) => void)(...values)
  }

  /** Removes the widget. */
  destroy(): void {
    this.#panel?.destroy()
    this.#ending.abort()
  }

  readonly #emit: Emit = (name, detail) =>
    void this.#host.dispatchEvent(new CustomEvent(`docent:${name}`, { detail, bubbles: true }))

  readonly #sources = () => [this.#updates, this.#deps.attributes, this.#served]

  readonly #findPlace = (): Element | null =>
    this.#read('mode') === 'inline'
      ? document.querySelector(this.#read('target', '[data-docent-inline]'))
      : document.body

  /** The first value of a setting. Only the panel knows whether it is usable; otherwise the style sheet ignores it. */
  #read(name: string, fallback = ''): string {
    // Lists and objects are settings of the panel.
    const values = this.#sources().map((given) => given[name] as string | number | boolean | null | undefined)
    return `${values.find((value) => value !== undefined && value !== null) ?? fallback}`
  }

  /** Shows the button as it is set, and has the panel do the same. */
  #apply(): void {
    for (const name of ['mode', 'launcher', 'position']) this.#host.setAttribute(name, this.#read(name))
    const { style } = this.#host
    style.colorScheme = this.#read('theme').replace('auto', '')
    for (const name of ['accentLight', 'accentDark']) {
      const value = this.#read(name)
      style.setProperty(`--${name}`, CSS.supports('color', value) ? value : '')
    }
    style.setProperty('--offset', this.#read('offset').replace(/\d+/g, '$&px'))
    this.#hotkey = normalizeHotkey(this.#read('hotkey', 'mod+i'))
    const language = chooseLanguage(this.#read('language'), document.documentElement.lang)
    this.#host.lang = language
    const [, text, keys] = this.#launcher
    text.textContent = this.#read('label') || launcherWords[language]
    keys.textContent = describeHotkey(this.#hotkey)
    // Not `remove`, which old libraries replace by one that fails where there is no parent.
    if (!this.#findPlace()?.contains(this.#host)) this.#host.replaceWith()
    if (/^(true)?$/.test(this.#read('codeAsk', 'false'))) this.#offer('page-ask')
    this.#panel?.update()
  }

  readonly #toggle = () => this.#use((panel) => panel.toggle())

  /** A hotkey that was chosen goes before the page's own; the usual one does not. */
  #onKey(event: KeyboardEvent, isFirst: boolean): void {
    if (isFirst === !this.#read('hotkey') || !isHotkey(event, this.#hotkey)) return
    event.preventDefault()
    this.#toggle()
  }

  /** Elements of the page that open the panel or ask: forms when they are sent, others when they are clicked or typed in. */
  readonly #onTrigger = (event: Event): void => {
    const trigger = (event.target as Element).closest?.<HTMLElement>('[data-docent-open],[data-docent-ask]')
    if (!trigger || trigger.matches('form') !== (event.type === 'submit')) return
    event.preventDefault()
    this.#use((panel) => panel.obey(trigger, event.type))
  }

  /** A failed load is tried again at the next need. */
  #load(): Promise<Panel> {
    return (this.#loading ??= this.#make().catch((error: unknown) => {
      this.#loading = null
      throw error
    }))
  }

  async #make(): Promise<Panel> {
    // The script of the same service.
    const { createPanel } = (await this.#deps.load('panel')) as PanelModule
    return (this.#panel = await createPanel({
      root: this.#root,
      tag: this.#deps.tag,
      sources: this.#sources,
      receive: (settings) => {
        if (settings) this.#served = settings
        this.#apply()
      },
      emit: this.#emit,
    }))
  }

  #use(use: (panel: Panel) => void): void {
    this.#load().then(use, () => {
      this.#launcher[1].textContent = '↻'
      this.#emit('error', { message: 'The panel is missing.', code: 'unreachable' })
    })
  }

  /** Again and again without harm. */
  #offer(name: string): void {
    const deps = { root: this.#root, widget: this, tag: this.#deps.tag, signal: this.#ending.signal }
    // The script of the same service.
    const offer = (module: unknown) => (module as OfferModule).offer(deps)
    this.#deps.load(name).then(offer, () => {})
  }
}
