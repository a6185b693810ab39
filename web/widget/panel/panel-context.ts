import type { ServiceRequests } from '../../../packages/docent-client/src/service-requests.ts'
import type { WidgetTag } from '../panel-contract.ts'
import type { Language } from '../words/languages.ts'
import type { Say } from '../words/make-say.ts'
import type { Announcer } from './announcer.ts'
import type { Conversation } from './conversation.ts'
import type { PageSubject } from './page-subject.ts'
import type { PanelSettings } from './panel-settings.ts'

/** What the parts of the panel share. */
export interface PanelContext {
  /** Texts in the language of the reader. */
  say: Say
  language: Language
  tag: WidgetTag
  settings: PanelSettings
  requests: ServiceRequests
  conversation: Conversation
  announcer: Announcer
  subject: PageSubject
  /** Text that the field starts with; another object starts it again. */
  draft: { text: string } | null
  close(): void
  /** Draws the panel again. */
  draw(): void
  /** The citation whose passage is shown; null for none. */
  evidence: Evidence | null
}

/** A citation, by its place in the conversation. */
export interface Evidence {
  turn: number
  text: number
  citation: number
}

export function showEvidence(context: PanelContext, evidence: Evidence | null): void {
  context.evidence = evidence
  context.draw()
}
