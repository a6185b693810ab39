/** Beside the page, over it, or where the field on the page is. */
export const panelModes = ['panel', 'modal', 'inline'] as const
type Mode = (typeof panelModes)[number]

interface DialogDeps {
  root: ShadowRoot
  /** Called for Escape. */
  dismiss(): void
  closed(): void
}

/** Below it, the field of inline mode has no room for results. */
const inlineHeightMinPx = 320
const inlineWidthMinPx = 448
const edgePx = 16

/** The frame of the panel: beside the page, over it, or where the field on the page is. */
export class PanelDialog {
  readonly element = document.createElement('dialog')
  readonly #deps: DialogDeps
  #mode: Mode = 'panel'
  #before: Element | null = null
  /** Ends what is listened to while it is open; null while it is closed. */
  #showing: AbortController | null = null

  constructor(deps: DialogDeps) {
    this.#deps = deps
    const { element } = this
    element.setAttribute('part', 'panel')
    element.addEventListener('cancel', this.#onEscape)
    element.addEventListener('keydown', (event) => {
      // Modal dialogs tell it as `cancel`.
      if (event.key === 'Escape' && !event.isComposing && this.#mode !== 'modal') this.#onEscape(event)
    })
    element.addEventListener('click', (event) => {
      // The dialog itself is the target only outside its contents.
      if (event.target === element && this.#mode === 'modal') this.close()
    })
    element.addEventListener('close', () => this.#end())
    deps.root.append(element)
  }

  get isOpen(): boolean {
    return this.#showing !== null
  }

  /** @param mode Counts until it is closed. */
  open(mode: Mode): void {
    if (this.#showing) return
    this.#showing = new AbortController()
    this.#mode = mode
    this.#before = this.#deps.root.activeElement ?? document.activeElement
    this.element.className = `panel ${mode}`
    this.#show()
  }

  close(): void {
    // A popover sends no event of its own that a dialog does.
    if (this.#mode !== 'inline') this.element.close()
    else if (this.#showing) {
      this.element.hidePopover()
      this.#end()
    }
  }

  /** Shows it again after its element was taken away and put back. */
  restore(): void {
    // It has left the top layer with its element.
    this.element.open = false
    this.#showing?.abort()
    this.#showing = new AbortController()
    this.#show()
  }

  focusField(): void {
    this.element.querySelector<HTMLElement>('[data-field]')?.focus()
  }

  #show(): void {
    const { element } = this
    this.#fitKeyboard()
    if (this.#mode === 'modal') element.showModal()
    // `show` would move the focus.
    else if (this.#mode === 'panel') element.open = true
    else this.#showInline()
  }

  /** In the top layer, because bars of sites clip what they contain. */
  #showInline(): void {
    const signal = this.#showing?.signal
    if (!signal) return
    const { element } = this
    element.popover = 'manual'
    element.showPopover()
    signal.addEventListener('abort', () => {
      element.popover = null
      element.removeAttribute('style')
    })
    const place = () => placeOver(element, this.#deps.root.host.getBoundingClientRect())
    place()
    addEventListener('resize', place, { signal })
    addEventListener('scroll', place, { signal, capture: true, passive: true })
    const leave = (event: Event) => event.composedPath().includes(this.#deps.root.host) || this.close()
    document.addEventListener('pointerdown', leave, { signal })
  }

  /** Keyboards of phones cover pages without making them smaller. */
  #fitKeyboard(): void {
    const { visualViewport: viewport } = window
    const fit = () => this.element.style.setProperty('--height', `${viewport?.height}px`)
    if (this.#showing) viewport?.addEventListener('resize', fit, { signal: this.#showing.signal })
  }

  #end(): void {
    this.#showing?.abort()
    this.#showing = null
    this.element.style.removeProperty('--height')
    this.#deps.closed()
    const before = this.#before
    const target =
      before instanceof HTMLElement && before.isConnected ? before : this.#deps.root.querySelector('button')
    target?.focus()
  }

  readonly #onEscape = (event: Event): void => {
    event.preventDefault()
    this.#deps.dismiss()
  }
}

function placeOver({ style }: HTMLElement, { left, top, width }: DOMRect): void {
  const ownWidth = Math.min(Math.max(width, inlineWidthMinPx), innerWidth - 2 * edgePx)
  const ownTop = Math.max(edgePx, Math.min(top, innerHeight - inlineHeightMinPx - edgePx))
  style.setProperty('--left', `${Math.max(edgePx, Math.min(left, innerWidth - ownWidth - edgePx))}px`)
  style.setProperty('--top', `${ownTop}px`)
  style.setProperty('--width', `${ownWidth}px`)
}
