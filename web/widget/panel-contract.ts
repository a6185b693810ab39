import type { WidgetOptions } from './widget-options.ts'

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

/** What the loader gives the panel. */
export interface PanelDeps {
  root: ShadowRoot
  options: WidgetOptions
  emit: Emit
  /** Called when the panel closes, whoever closed it. */
  closed(): void
}

/** What the loader does with the panel. Versions may differ for the minutes that scripts are cached, so it stays small. */
export interface Panel {
  /** @param movesFocus False where nobody asked for it, as after a page load. */
  open(movesFocus: boolean): void
  close(): void
  ask(question: string): void
  /** Opens the dialog again after the page took its element away and it was put back. */
  restore(): void
  destroy(): void
}

export interface PanelModule {
  createPanel(deps: PanelDeps): Promise<Panel>
}
