import { cleanup, configure } from '@testing-library/react'
import { afterEach } from 'vitest'
import { FakeEvents } from './fake-events.ts'

// React requires the first flag before a test may drive it.
Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true, EventSource: FakeEvents })

// happy-dom shows what is rendered, but knows no popovers.
HTMLElement.prototype.showPopover ??= () => {}

// happy-dom loads no pages into frames, and says so with a long trace each time.
for (const symbol of Object.getOwnPropertySymbols(HTMLIFrameElement.prototype)) {
  if (symbol.description === 'connectedToDocument') Reflect.deleteProperty(HTMLIFrameElement.prototype, symbol)
}

configure({
  // Generous, because pages are compiled on first use and a busy machine must not fail a test.
  asyncUtilTimeout: 30_000,
  // Without the page's DOM, which would bury the message.
  getElementError: (message) => new Error(message?.slice(0, 500) ?? 'The element was not found.'),
})

afterEach(() => {
  cleanup()
  localStorage.clear()
})
