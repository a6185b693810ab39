import { expect, it } from 'vitest'
import { buildInstructions, describeSite, ownInstructionsCharsMax } from './instructions.ts'

const header = {
  siteName: 'Kiosk',
  siteDescription: '',
  revision: 'r',
  defaultVersion: 'v2',
  defaultLanguage: 'en',
  analyzer: 'a',
  pageCount: 1,
  chunkCount: 1,
}
const index = {
  header,
  search: async () => [],
  readPage: async () => null,
  listPages: async () => [],
  close: async () => {},
}

it('names the site, and the version and language that the question is about', () => {
  const site = { name: 'Kiosk', settings: {}, index }

  expect(buildInstructions(describeSite(site, { filter: {} }))).toContain('"Kiosk" (version v2, language en).')
  expect(buildInstructions(describeSite(site, { filter: { version: 'v1' } }))).toContain('(version v1, language en)')
})

it('ends with the words of the owner, no more than fit, and with nothing where there are none', () => {
  const written = (instructions: string | number) =>
    buildInstructions(describeSite({ name: 'K', settings: { instructions }, index }, { filter: {} }))

  expect(written('Be kind.')).toMatch(/\n\nThe owner of the documentation says:\nBe kind\.$/)
  expect(written('x'.repeat(9_000)).length - written('x').length).toBe(ownInstructionsCharsMax - 1)
  expect(written(7)).toMatch(/numbers exactly\.$/)
})

it('stays short', () => {
  const site = { name: 'Kiosk', version: null, language: null, ownInstructions: '' }

  expect(buildInstructions(site).length).toBeLessThan(1_500)
})
