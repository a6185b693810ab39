import { expect, it } from 'vitest'
import { findSection } from './page-section.ts'

const page = '# Guide\n\n## The `run` command {#start}\n\nText.\n\n```\n## Not a heading\n```\n\n### Part\n\n## Next'

it.each(['The run command', 'the-run-command', '#start', 'start'])('finds a section by %s', (name) => {
  expect(findSection(page, name)).toMatch(/^## The `run` command[^]*### Part$/)
})

it('finds nothing in code', () => {
  expect(findSection(page, 'Not a heading')).toBeNull()
})
