import { expect, it } from 'vitest'
import type { AssistantQuestion } from '../../contract/assistant-request.ts'
import type { LiveSite } from '../../sites/live-sites.ts'
import { isInRequest } from './answer-tool.ts'

// The only properties that matter here.
const site = { index: { header: { defaultVersion: 'v2', defaultLanguage: null } } } as LiveSite
const isShown = (filter: AssistantQuestion['filter'], page: { tag: string | null; version: string | null }) =>
  isInRequest({ site, question: { filter } as AssistantQuestion } as Parameters<typeof isInRequest>[0], {
    language: null,
    ...page,
  })

it('shows tools the pages of the version and the tag that the question names, and of no other', () => {
  expect(isShown({}, { tag: null, version: 'v2' })).toBe(true)
  expect(isShown({}, { tag: 'BETA', version: 'v1' })).toBe(false)
  expect(isShown({ tag: 'BETA' }, { tag: 'BETA', version: null })).toBe(true)
  expect(isShown({ tag: 'BETA' }, { tag: null, version: null })).toBe(false)
  expect(isShown({ tag: 'BETA', version: 'v1' }, { tag: 'BETA', version: 'v2' })).toBe(false)
})
