import { createElement, useEffect, type ReactNode } from 'react'
import { createRoot } from 'react-dom/client'

/** What a page shows of its chat, for the test to read. */
export interface PageState {
  status: string
  error: string | null
  /** Text of each answer, oldest first. */
  answers: string[]
  threadIds: Record<string, unknown>
}

/** What the test may do to a page. */
export interface PageActions {
  ask(text: string): void
  stop(): void
}

declare global {
  interface Window {
    chatState: PageState
    chatActions: PageActions
  }
}

/** The address of the API, from the page's own. */
export function readApiUrl(): string {
  return new URLSearchParams(location.search).get('api') ?? ''
}

const key = new URLSearchParams(location.search).get('key') ?? 'svc_dsc_test'

export const requestHeaders = { Authorization: `Bearer ${key}` }

/** Shows the state as text and hands it to the test. */
export function ChatView({ state, actions }: { state: PageState; actions: PageActions }): ReactNode {
  useEffect(() => {
    window.chatState = state
    window.chatActions = actions
  })
  return createElement('pre', null, JSON.stringify(state, null, 2))
}

export function mountPage(page: () => ReactNode): void {
  const root = document.querySelector('#root')
  if (root) createRoot(root).render(createElement(page))
}
