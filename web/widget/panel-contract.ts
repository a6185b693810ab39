/** Values of settings by name: attributes as `dataset` has them, or JSON. */
export type Given = Readonly<Record<string, unknown>>

/** Events of the widget: `docent:NAME` on its element, and `docent.on(NAME, …)`. They carry no text of a question. */
export interface WidgetEvents {
  ready: null
  open: null
  close: null
  ask: { path: string }
  /** `verdict` is null if the answer was stopped. */
  answer: { threadId: string | null; messageId: string | null; verdict: string | null; sources: number }
  feedback: { messageId: string; helpful: boolean }
  error: { message: string; code: string }
}

export type Emit = <Name extends keyof WidgetEvents>(name: Name, detail: WidgetEvents[Name]) => void

/** What the script tag says that nothing can change. */
export interface WidgetTag {
  /** Address of the service, without a trailing slash. */
  url: string
  /** The site's slug or one of its host names. */
  site: string
  key: string | undefined
}

/** Something on the page that a question is about. */
export interface QuestionSubject {
  type: 'code' | 'textSelection'
  value: string
}

export interface OpenRequest {
  /** Initial text of the field. */
  text?: string
  about?: QuestionSubject
  /** True where nobody asked for it, such as after a page load: the focus then stays where it is. */
  isQuiet?: boolean
}

/** What the loader gives the panel. */
export interface PanelDeps {
  root: ShadowRoot
  tag: WidgetTag
  /** Values of settings as they are now, those that take precedence first. */
  sources(): readonly Given[]
  /** Takes what the owner has set on the service, if it is given, and shows the button as it is set now. */
  receive(settings?: Given): void
  emit: Emit
}

export interface OfferDeps {
  /** Its host has the language of the reader. */
  root: ShadowRoot
  widget: { open(request: OpenRequest): void }
  tag: WidgetTag
  signal: AbortSignal
}

/** A script that offers something beside the panel: to ask about what the page shows, or tools to the browser's agent. */
export interface OfferModule {
  offer(deps: OfferDeps): void
}

/** What the loader does with the panel. Versions may differ for the minutes that scripts are cached, so it stays small. */
export interface Panel {
  open(request: OpenRequest): void
  close(): void
  toggle(): void
  ask(question: string): void
  /**
   * Opens or asks for an element of the page.
   *
   * @param trigger Has `data-docent-open` or `data-docent-ask`.
   * @param type Of its event: `click`, `input` or `submit`.
   */
  obey(trigger: HTMLElement, type: string): void
  /** A setting, or the language of the page, may have changed. */
  update(): void
  /** Opens the dialog again after the page took its element away and it was put back. */
  restore(): void
  destroy(): void
}

export interface PanelModule {
  createPanel(deps: PanelDeps): Promise<Panel>
}
