import { expect, it } from 'vitest'
import { noGuidance } from '../../store/sites/index-guidance.ts'
import { buildInstructions, describeSite } from './instructions.ts'

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
  readImage: async () => null,
  readOrigins: async () => null,
  findAddress: async () => ({ kind: 'unknown' as const, near: [] }),
  listRedirects: async () => [],
  explain: async () => ({ terms: [], unknownTerms: [], hits: [], removed: [] }),
  countTerms: async () => ({ passages: 0, counts: {}, meant: {} }),
  listPages: async () => [],
  close: async () => {},
}

const noSettings = { instructions: null }
const site = { name: 'Kiosk', guidance: noGuidance, index }
const noFilter = { filter: {} }

it('names the site, and the version and language that the question is about', () => {
  const write = (filter: { version?: string }) => buildInstructions(describeSite(site, noSettings, { filter }))

  expect(write({})).toContain('"Kiosk" (version v2, language en).')
  expect(write({ version: 'v1' })).toContain('(version v1, language en)')
})

it('ends with the words of the owner, from the settings and from the source, and with nothing where there are none', () => {
  const guidance = { ...noGuidance, instructions: 'Name the release.' }
  const write = (instructions: string | null, told = noGuidance) =>
    buildInstructions(describeSite({ ...site, guidance: told }, { instructions }, noFilter))

  expect(write('Be kind.')).toMatch(/\n\nThe owner of the documentation says:\nBe kind\.$/)
  expect(write('Be kind.', guidance)).toMatch(
    /\n\nThe owner of the documentation says:\nBe kind\.\n\nName the release\.$/,
  )
  expect(write(null)).toMatch(/numbers exactly\.$/)
})

it('lists the skills of the owner by name and description, and none of their text', () => {
  const skill = { name: 'billing', description: 'Questions about invoices.', body: 'Never promise a refund.' }

  const written = buildInstructions(
    describeSite({ ...site, guidance: { ...noGuidance, instructions: '', skills: [skill] } }, noSettings, noFilter),
  )

  expect(written).toMatch(/call load_skill first .*:\n- billing: Questions about invoices\.$/)
  expect(written).not.toContain('refund')
})

it('stays short', () => {
  const bare = { name: 'Kiosk', version: null, language: null, ownInstructions: '', skills: [] }

  expect(buildInstructions(bare).length).toBeLessThan(1_500)
})
