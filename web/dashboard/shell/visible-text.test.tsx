import { render } from '@testing-library/react'
import { expect, it } from 'vitest'
import { VisibleText } from './visible-text.tsx'

it('keeps the lines of prose, and shows the line break of a name as a code', () => {
  const { container, rerender } = render(<VisibleText text={'Add this:\r\nA\u202eline.'} hasLines />)
  expect(container.innerHTML).toMatch(/^Add this:<br>A<span[^>]*>U\+202E<\/span>line\.$/)

  rerender(<VisibleText text={'guides\n/in'} />)

  expect(container.textContent).toBe('guidesU+000A/in')
})
