import { cleanup, configure } from '@testing-library/react'
import { afterEach } from 'vitest'
import { FakeEvents } from './fake-events.ts'

// React looks for the first before it lets a test drive it.
Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true, EventSource: FakeEvents })

configure({
  // Generous, because a busy machine must not turn a test red: pages are compiled when they are first opened.
  asyncUtilTimeout: 30_000,
  // Without the whole page, which says less than the sentence.
  getElementError: (message) => new Error(message?.slice(0, 500) ?? 'The element was not found.'),
})

afterEach(() => {
  cleanup()
  localStorage.clear()
})
