import { fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, it } from 'vitest'
import type { Citation } from '../../src/contract/citations.ts'
import { makeCitation } from './testing/make-citation.ts'
import { CitationNumbers } from './citation-numbers.tsx'

const label = 'Source 1: Keys, Rotate a key'

function show(...citations: Citation[]) {
  render(
    <p>
      Both work. <CitationNumbers citations={citations} /> <button>Next</button>
    </p>,
  )
  return { user: userEvent.setup(), card: () => screen.findByRole('group', { name: label }) }
}

const expectClosed = () => waitFor(() => expect(screen.queryByRole('group')).toBeNull())

it('is a link to the passage that says its source to a screen reader', () => {
  show(makeCitation('1', 10))

  const link = screen.getByRole('link', { name: label })

  expect(link.textContent).toBe('1')
  expect(link.getAttribute('href')).toContain('/guides/keys#rotate:~:text=')
})

it('shows its evidence on focus, with a link within reach of the Tab key, until the focus leaves', async () => {
  const { user, card } = show(makeCitation('1', 10))

  await user.tab()
  const shown = await card()
  expect(shown.textContent).toMatch(/Keys ›\sRotate a key/)
  expect(shown.textContent).toContain('The old key keeps working until you revoke it.')
  expect(shown.textContent).toMatch(/Supported\..*docs\/guides\/keys\.mdx:41–44commit 9f3c2abversion v2$/)
  await user.tab()
  expect(document.activeElement).toBe(within(shown).getByRole('link', { name: 'Open page' }))
  await user.tab()

  expect(document.activeElement?.textContent).toBe('Next')
  await expectClosed()
})

it('shows its evidence while a mouse points at the number or the card', async () => {
  const { user, card } = show(makeCitation('1', 10))

  await user.hover(screen.getByRole('link', { name: label }))
  const shown = await card()
  await user.hover(shown)
  expect(shown.isConnected).toBe(true)
  await user.hover(screen.getByRole('button'))

  await expectClosed()
})

it('opens by a tap, and leads to the page only by its link', async () => {
  const { card } = show(makeCitation('1', 10))
  const link = screen.getByRole('link', { name: label })
  const tap = () => {
    fireEvent.pointerDown(link, { pointerType: 'touch' })
    // True if the browser would follow the link.
    return fireEvent(link, new PointerEvent('click', { pointerType: 'touch', bubbles: true, cancelable: true }))
  }

  expect(tap()).toBe(false)
  await card()
  expect(tap()).toBe(false)

  await expectClosed()
})

it('stands in order, and shows quotes without the marks of Markdown', async () => {
  const quote = '| **Keys** | Run `docent key`, see [Keys](/keys). |'
  const { user, card } = show(makeCitation('2', 10), makeCitation('1', 10, { quote }))

  expect(screen.getAllByRole('link').map(({ textContent }) => textContent)).toEqual(['1', '2'])
  await user.tab()

  expect((await card()).textContent).toContain('Keys · Run docent key, see Keys.')
})

it('makes no link of an address that is not of the web', async () => {
  const { user, card } = show(makeCitation('1', 10, { url: 'javascript:alert(1)' }))

  await user.tab()

  await card()
  expect(screen.queryByRole('link')).toBeNull()
})

it('says what is unknown by leaving it out', async () => {
  const { source } = makeCitation('1', 10)
  const unknown = { ...source, commit: null, file: null, lines: null, version: null }
  const { user, card } = show(makeCitation('1', 10, { source: unknown, verdict: 'partial' }))

  await user.tab()

  expect((await card()).textContent).toMatch(/Partly supported\. [\w ]+\.$/)
})
