/** @jsxImportSource preact */
import { render } from 'preact'
import { ServiceRequests } from '../../../packages/docent-client/src/service-requests.ts'
import type { Given, OpenRequest } from '../panel-contract.ts'
import { readSettings } from './read-settings.ts'
import { chooseLanguage, launcherWords } from '../words/languages.ts'
import { english } from '../words/english.ts'
import { loadWords } from '../words/load-words.ts'
import { makeSay } from '../words/make-say.ts'
import { Announcer } from './announcer.ts'
import { Conversation } from './conversation.ts'
import { describeFault } from './describe-fault.ts'
import { PageSubject } from './page-subject.ts'
import css from './panel.css?inline'
import type { PanelContext } from './panel-context.ts'
import type { PanelDialog } from './panel-dialog.ts'
import type { ContentDeps, PanelContent } from './panel-frame.ts'
import { type PanelSettings, panelSettings } from './panel-settings.ts'
import { SearchView } from './search-view.tsx'
import { SiteSetup } from './site-setup.ts'
import { storeItem } from './store-item.ts'
import type { TalkView } from './talk-view.tsx'
import { readTheme, watchPage } from './watch-page.ts'

/** What the frame shows: searching and conversations. */
export async function createContent(deps: ContentDeps): Promise<PanelContent> {
  const content = new WidgetContent(deps)
  await content.speak()
  content.resume()
  return content
}

class WidgetContent implements PanelContent {
  readonly #deps: ContentDeps
  readonly #dialog: PanelDialog
  readonly #view = document.createElement('div')
  readonly #setup: SiteSetup
  readonly #context: PanelContext
  readonly #ending = new AbortController()
  /** Ends with the body that is watched. */
  #watching = new AbortController()
  /** Loaded apart: searching needs none of it. */
  #talk: typeof TalkView | null = null
  #wasTalk = false

  constructor(deps: ContentDeps) {
    this.#deps = deps
    const { root } = deps
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(css)
    root.adoptedStyleSheets.push(sheet)
    this.#dialog = deps.dialog
    this.#view.className = 'view'
    const status = document.createElement('div')
    status.className = 'said'
    status.setAttribute('role', 'status')
    this.#dialog.element.append(this.#view, status)
    this.#setup = new SiteSetup({ tag: deps.tag, receive: (settings) => this.#receive(settings) })
    this.#context = this.#makeContext(status)
    this.#listen()
  }

  open(request: OpenRequest, isOpening: boolean): void {
    const { subject } = this.#context
    void this.#setup.readKey()
    if (isOpening) subject.read()
    if (request.about) subject.current = request.about
    if (request.text) this.#context.draft = { text: request.text }
    // Draws. The language may be another since it was shown last, or the label an error.
    this.#deps.receive()
    if (!request.isQuiet) this.#dialog.focusField()
  }

  ask(question: string): void {
    void this.#context.conversation.ask(question)
  }

  update(): void {
    const { language } = this.#context
    this.#showTheme()
    this.#context.settings = this.#readSettings()
    if (this.#readLanguage() === language) this.#draw()
    else void this.speak()
  }

  restore(): void {
    this.#watchPage()
  }

  destroy(): void {
    this.#ending.abort()
    this.#watching.abort()
    this.#context.conversation.stop()
    render(null, this.#view)
  }

  /** Goes on with an answer that a page load interrupted. */
  resume(): void {
    void this.#context.conversation.resume()
  }

  /** Changes to the language of the reader. */
  async speak(): Promise<void> {
    const language = this.#readLanguage()
    const words = await loadWords(language)
    Object.assign(this.#context, { language, say: makeSay(language, words) })
    this.#draw()
  }

  #makeContext(status: HTMLElement): PanelContext {
    const { tag, emit, root } = this.#deps
    const subject = new PageSubject(root.host, () => this.#draw())
    subject.watch(this.#ending.signal)
    const requests = this.#makeRequests()
    const conversation = new Conversation({
      site: tag.site,
      requests,
      emit,
      describeFault: (error) => describeFault(this.#context, error, 'connectionLost'),
      takeSubject: () => subject.take(),
      isKept: () => this.#context.settings.history,
      changed: this.#draw,
    })
    return {
      say: makeSay('en', english),
      language: 'en',
      tag,
      settings: this.#readSettings(),
      requests,
      conversation,
      announcer: new Announcer(() => status),
      subject,
      draft: null,
      close: () => this.#dialog.close(),
      draw: this.#draw,
      evidence: null,
    }
  }

  #listen(): void {
    const { root } = this.#deps
    const { signal } = this.#ending
    this.#watchPage()
    this.#dialog.element.addEventListener('input', () => void this.#loadTalk(), { once: true })
    // Where the address changes without a page load, other questions are offered.
    window.navigation?.addEventListener('navigatesuccess', this.#draw, { signal })
    // Otherwise the page's single-letter shortcuts would run while somebody types here.
    const keep = (event: Event) => {
      if (event instanceof KeyboardEvent && !event.ctrlKey && !event.metaKey && !event.altKey) event.stopPropagation()
    }
    for (const name of ['keydown', 'keypress', 'keyup']) root.addEventListener(name, keep, { signal })
  }

  /** Again for each body that a router puts in place of another. */
  #watchPage(): void {
    this.#watching.abort()
    this.#watching = new AbortController()
    watchPage(() => this.#deps.receive(), this.#watching.signal)
    this.#showTheme()
  }

  #showTheme(): void {
    const { theme } = this.#context.settings
    const { host } = this.#deps.root
    if (host instanceof HTMLElement) host.style.colorScheme = theme === 'auto' ? readTheme() : theme
  }

  /** The key may be known only once the service has sent the site's own. */
  #makeRequests(): ServiceRequests {
    const { url, site } = this.#deps.tag
    const send: typeof fetch = async (address, init) => {
      const headers = new Headers(init?.headers)
      const key = await this.#setup.readKey()
      if (key !== null) headers.set('Authorization', `Bearer ${key}`)
      return fetch(address, { ...init, headers })
    }
    return new ServiceRequests({ url, site, headers: { 'X-Docent-Client': 'widget' }, fetch: send })
  }

  #receive(settings: Given): void {
    storeItem('localStorage', `docent-settings:${this.#deps.tag.site}`, settings)
    this.#deps.receive(settings)
  }

  #readSettings(): PanelSettings {
    const settings = readSettings(panelSettings, this.#deps.sources())
    const label = settings.label || launcherWords[this.#readLanguage(settings)]
    return { ...settings, label }
  }

  #readLanguage({ language } = this.#context.settings) {
    return chooseLanguage(language, document.documentElement.lang)
  }

  /** Closes what is in front: the passage, then the panel. */
  dismiss(): void {
    if (this.#context.evidence === null) this.#dialog.close()
    else {
      this.#context.evidence = null
      this.#draw()
    }
  }

  async #loadTalk(): Promise<void> {
    if (this.#talk !== null) return
    // If loading fails, the next change tries again.
    this.#talk = await import('./talk-view.tsx').then(
      (module) => module.TalkView,
      () => null,
    )
    if (this.#talk !== null) this.#draw()
  }

  readonly #draw = (): void => {
    const context = this.#context
    const isTalk = context.conversation.turns.length > 0
    this.#dialog.element.setAttribute('aria-label', context.settings.label)
    this.#dialog.element.lang = context.language
    const Talk = this.#talk
    if (isTalk && Talk === null) {
      void this.#loadTalk()
      return
    }
    render(isTalk && Talk ? <Talk context={context} /> : <SearchView context={context} />, this.#view)
    const isChanged = isTalk !== this.#wasTalk
    this.#wasTalk = isTalk
    if (!isChanged || !this.#dialog.isOpen) return
    // The field of the other view has replaced the one that had the focus.
    if (this.#deps.root.host.matches(':focus-within') || document.activeElement === document.body)
      this.#dialog.focusField()
  }
}
