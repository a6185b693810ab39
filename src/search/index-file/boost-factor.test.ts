import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { buildIndexFile } from './build-index-file.ts'
import { IndexFile } from './index-file.ts'
import { searchIndexFile } from '../search-index-file.ts'
import { makeTestInput, makeTestPage, makeTestQuery } from '../../../test/support/search-test-site.ts'
import { boostFactor } from './boost-factor.ts'

const folder = mkdtempSync(join(tmpdir(), 'weigh-boost-test-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** The paths found in a site of these pages, best first. */
function rankPages(pages: Parameters<typeof makeTestInput>[0], text: string): string[] {
  const file = join(folder, 'site.sqlite')
  buildIndexFile(file, makeTestInput(pages))
  const index = new IndexFile(file)
  const passages = searchIndexFile(index, makeTestQuery(text))
  index.close()
  return passages.map(({ path }) => path)
}

it('leaves pages without a boost as they are, rises with the boost, and stays between 0.86 and 1.17', () => {
  const boosts = [Number.MIN_VALUE, 0.01, 0.5, 0.9, 1, 1.1, 2, 3, 1000, Number.MAX_VALUE]
  const weights = boosts.map(boostFactor)

  expect(boostFactor(1)).toBe(1)
  expect(weights).toEqual(weights.toSorted((one, other) => one - other))
  expect(Math.min(...weights)).toBeGreaterThan(0.86)
  expect(Math.max(...weights)).toBeLessThan(1.17)
})

it('ranks a boosted page first among pages of similar relevance', () => {
  const text = 'Rotate the signing secret every ninety days.'
  const plain = makeTestPage('/plain', 'Secrets', text)
  const longer = makeTestPage('/longer', 'Secrets', `${text} Do it by hand.`)

  expect(rankPages([plain, longer], 'rotate signing secret')).toEqual(['/plain', '/longer'])
  expect(rankPages([plain, { ...longer, boost: 3 }], 'rotate signing secret')).toEqual(['/longer', '/plain'])
  expect(rankPages([{ ...plain, boost: 0.5 }, longer], 'rotate signing secret')).toEqual(['/longer', '/plain'])
})

it('never ranks a boosted page before a clearly better one, however high the boost', () => {
  const right = makeTestPage('/webhooks', 'Rotate webhook secrets', 'Rotate the signing secret of a webhook.')
  const boosted = makeTestPage('/overview', 'Overview', 'Every webhook is listed here.', { boost: 1000 })

  expect(rankPages([boosted, right], 'rotate webhook signing secret')).toEqual(['/webhooks', '/overview'])
})
