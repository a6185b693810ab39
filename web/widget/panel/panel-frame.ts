import type { OpenRequest, Panel, PanelDeps } from '../panel-contract.ts'
import css from './frame.css?inline'
import { PanelDialog, panelModes } from './panel-dialog.ts'
import { storeItem } from './store-item.ts'

export interface ContentDeps extends PanelDeps {
  dialog: PanelDialog
}

/** What the frame shows, once it is loaded. */
export interface PanelContent {
  /** @param isOpening Whether the panel was closed. */
  open(request: OpenRequest, isOpening: boolean): void
  ask(question: string): void
  /** Closes what is in front. */
  dismiss(): void
  update(): void
  restore(): void
  destroy(): void
}

interface ContentModule {
  createContent(deps: ContentDeps): Promise<PanelContent>
}

/**
 * The panel, closed: the module that the launcher loads. It is small, so that a press shows the frame at once. What the
 * frame shows is loaded from the same moment on.
 */
export async function createPanel(deps: PanelDeps): Promise<Panel> {
  return new PanelFrame(deps)
}

const contentFile = './panel-content.js'

class PanelFrame implements Panel {
  readonly #deps: PanelDeps
  readonly #dialog: PanelDialog
  #content: PanelContent | null = null
  #isLoading = false
  /** What was asked of the content before it was there. */
  #waiting: ((content: PanelContent) => void)[] = []
  #isDestroyed = false

  constructor(deps: PanelDeps) {
    this.#deps = deps
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(css)
    deps.root.adoptedStyleSheets.push(sheet)
    this.#dialog = new PanelDialog({
      root: deps.root,
      dismiss: () => (this.#content === null ? this.close() : this.#content.dismiss()),
      closed: () => {
        this.#waiting = []
        this.#tellOpen(false)
      },
    })
    this.#load()
  }

  open(request: OpenRequest): void {
    const isOpening = !this.#dialog.isOpen
    if (isOpening) {
      this.#dialog.open(this.#readMode())
      this.#tellOpen(true)
    }
    this.#use((content) => content.open(request, isOpening))
  }

  close(): void {
    this.#dialog.close()
  }

  toggle(): void {
    if (this.#dialog.isOpen) this.close()
    else this.open({})
  }

  ask(question: string): void {
    this.open({})
    this.#use((content) => content.ask(question))
  }

  obey(trigger: HTMLElement, type: string): void {
    const { docentOpen, docentAsk } = trigger.dataset
    const field = trigger instanceof HTMLInputElement ? trigger : trigger.querySelector('input')
    const text = docentOpen || docentAsk || field?.value || ''
    if (docentAsk === undefined) this.open({ text })
    else if (type !== 'input' && text !== '') this.ask(text)
  }

  update(): void {
    this.#content?.update()
  }

  restore(): void {
    this.#content?.restore()
    if (this.#dialog.isOpen) this.#dialog.restore()
  }

  destroy(): void {
    this.#isDestroyed = true
    if (this.#dialog.isOpen) this.#tellOpen(false)
    this.#content?.destroy()
  }

  /** A failed load is tried again at the next need. */
  #use(use: (content: PanelContent) => void): void {
    if (this.#content !== null) return use(this.#content)
    this.#waiting.push(use)
    this.#load()
  }

  #load(): void {
    if (this.#isLoading) return
    this.#isLoading = true
    this.#loadContent().catch(() => {
      this.#isLoading = false
      this.#waiting = []
      if (!this.#dialog.isOpen) return
      this.close()
      this.#deps.emit('error', { message: 'The panel is missing.', code: 'unreachable' })
    })
  }

  async #loadContent(): Promise<void> {
    // Built apart, so that what the content loads later shares its code and not a third file.
    const { createContent } = (await import(/* @vite-ignore */ contentFile)) as ContentModule
    const content = await createContent({ ...this.#deps, dialog: this.#dialog })
    if (this.#isDestroyed) return content.destroy()
    this.#content = content
    for (const use of this.#waiting.splice(0)) use(content)
  }

  /** As the launcher shows it. */
  #readMode(): (typeof panelModes)[number] {
    const given = this.#deps.root.host.getAttribute('mode')
    return panelModes.find((mode) => mode === given) ?? 'panel'
  }

  #tellOpen(isOpen: boolean): void {
    const { root, tag, emit } = this.#deps
    root.querySelector('.launch')?.setAttribute('aria-expanded', String(isOpen))
    // A panel stays open across page loads.
    storeItem('sessionStorage', `docent-open:${tag.site}`, isOpen && this.#readMode() === 'panel' ? true : null)
    emit(isOpen ? 'open' : 'close', null)
  }
}
