import { expect, it } from 'vitest'
import type { SourceCheck } from '../../../../src/contract/source-check.ts'
import { emptySiteForm, isImported, readAskedSource, readSiteCreate, suggestNames, tryOutSource } from './site-form.ts'

const form = { ...emptySiteForm, location: ' https://example.com/acme/My_Docs.git ', subdirectory: '/docs/' }

it('asks for an address without a kind, and for the main branch where none is named', () => {
  expect(readAskedSource(form)).toEqual({
    location: 'https://example.com/acme/My_Docs.git',
    ref: null,
    subdirectory: 'docs',
  })
})

it('asks for a crawl without a branch and a subdirectory, whatever was typed before', () => {
  const crawl = { ...form, place: 'crawl' as const, ref: 'main', location: 'https://www.example.com/docs' }

  expect(readAskedSource(crawl)).toEqual({
    kind: 'crawl',
    location: 'https://www.example.com/docs',
    ref: null,
    subdirectory: '',
  })
  expect(suggestNames(crawl)).toEqual({ name: 'example.com', slug: 'example-com' })
})

it('suggests names out of the last word of a path', () => {
  expect(suggestNames(form)).toEqual({ name: 'My_Docs', slug: 'my-docs' })
  expect(suggestNames({ ...form, location: '' })).toEqual({ name: '', slug: '' })
})

it('sends a token with addresses only', () => {
  const source = { kind: 'git' as const, location: '/srv/docs' }
  const typed = { ...form, token: 'secret', slug: 'docs', name: 'Docs' }

  expect(readSiteCreate(typed, source).credential).toEqual({ token: 'secret' })
  expect(readSiteCreate({ ...typed, place: 'server' }, source).credential).toBeNull()
})

it('imports what lies on the server, unless it is to be read in place', () => {
  const server = { ...form, place: 'server' as const }

  expect(isImported(server, { kind: 'git' })).toBe(true)
  expect(isImported({ ...server, keeping: 'follow' }, { kind: 'git' })).toBe(false)
  expect(isImported(form, { kind: 'git' })).toBe(false)
})

it('tries an address that is on no code host again as a plain repository', async () => {
  const asked: unknown[] = []
  const check = async ({ source }: { source: { kind?: string | undefined } }): Promise<SourceCheck> => {
    asked.push(source.kind)
    const found = source.kind === 'git' ? ({ kind: 'git', location: 'x', ref: null, subdirectory: '' } as const) : null
    return { source: found, canRead: found !== null, canPropose: false, steps: [] }
  }

  expect(await tryOutSource(form, check)).toMatchObject({ canRead: true })
  expect(asked).toEqual([undefined, 'git'])
})
