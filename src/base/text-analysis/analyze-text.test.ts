import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { analyzeQuery, analyzeText } from './analyze-text.ts'

const listTerms = (text: string, language: string | null = null) => analyzeText(text, language).map(({ term }) => term)

describe('the terms of a text', () => {
  it.each([
    ['Running servers', ['run', 'server']],
    ['maxTokens', ['maxtoken', 'max', 'token']],
    ['max_tokens', ['maxtoken', 'max', 'token']],
    ['max-tokens', ['maxtoken', 'max', 'token']],
    ['MAX_TOKENS', ['maxtoken', 'max', 'token']],
    ['HTTPServer', ['httpserver', 'http', 'server']],
    ['--dry-run', ['dryrun', '--dry-run', 'dri', 'run']],
    ['-v', ['-v', 'v']],
    ['$group', ['$group', 'group']],
    ['@decorator', ['@decorator', 'decor']],
    ['ray.data.mapBatches()', ['mapbatch', 'ray.data.mapbatches', 'ray', 'data', 'map', 'batch']],
    ['std::vec', ['std::vec', 'std', 'vec']],
    ['/guides/install', ['guides/install', 'guid', 'instal']],
    ['v1.2.3', ['1.2.3', '1.2']],
    ['2.0.0-beta.1', ['2.0.0-beta.1', '2.0.0', '2.0']],
    ['TS2345', ['ts2345', 'ts', '2345']],
    ['ERR_MODULE_NOT_FOUND', ['errmodulenotfound', 'err', 'modul', 'not', 'found']],
    ['utf8', ['utf8', 'utf']],
    ['C++ and C#', ['c++', 'c', 'and', 'c#', 'c']],
    ["the user's don’t", ['the', 'user', 'dont']],
    ['Café ＡＰＩ', ['cafe', 'api']],
    ['数据库', ['数', '数据', '据', '据库', '库']],
    ['Redis集群', ['redi', '集', '集群', '群']],
    ['see https://kiosk.dev', ['see', 'kiosk.dev', 'kiosk', 'dev']],
    ['backing up host names', ['back', 'backup', 'up', 'host', 'hostnam', 'name']],
    ['', []],
    ['… — !?', []],
  ])('of %s', (text, terms) => {
    expect(listTerms(text)).toEqual(terms)
  })

  it('stand where their words stand, a whole where its first part does', () => {
    expect(analyzeText('use maxTokens here', null)).toEqual([
      { term: 'use', position: 0 },
      { term: 'maxtoken', position: 1 },
      { term: 'max', position: 1 },
      { term: 'token', position: 2 },
      { term: 'here', position: 3 },
    ])
  })

  it('are stemmed by the language', () => {
    expect(listTerms('les données d’accès', 'fr')).toEqual(
      listTerms('donnée accès', 'fr').toSpliced(0, 0, ...listTerms('les', 'fr')),
    )
    expect(listTerms('Einstellungen', 'de-AT')).toEqual(listTerms('Einstellung', 'de'))
    expect(listTerms('settings', 'xx')).toEqual(['set'])
    expect(listTerms('settings', 'constructor')).toEqual(['set'])
  })
})

describe('the words of a query', () => {
  const listWords = (text: string, language: string | null = null) =>
    analyzeQuery(text, language).map(({ surface }) => surface)

  it('leave out stop words', () => {
    expect(listWords('How do I install the tool?')).toEqual(['install', 'tool'])
    expect(listWords("what's the limit and why can't I")).toEqual(['limit'])
    expect(listWords('comment installer le site', 'fr')).not.toContain('le')
  })

  it('keep a word that a contraction is spelled like', () => {
    expect(listWords('search from the shell')).toEqual(['search', 'shell'])
  })

  it('keep stop words when nothing else is left', () => {
    expect(listWords('not in')).toEqual(['not', 'in'])
  })

  it('name every word once, however it is written', () => {
    expect(listWords('maxTokens max_tokens installs installing')).toEqual(['maxTokens', 'installs'])
  })

  it('look for pairs of characters where words have no spaces', () => {
    expect(analyzeQuery('数据库', 'cn')).toEqual([{ surface: '数据库', wholes: [], parts: ['数据', '据库'] }])
    expect(analyzeQuery('库', 'cn')).toEqual([{ surface: '库', wholes: [], parts: ['库'] }])
  })
})

it('any text has bounded terms at rising positions, the same every time', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (text) => {
      const tokens = analyzeText(text, null)

      expect(tokens.every(({ term }) => term !== '' && term.length <= 100)).toBe(true)
      expect(tokens.every(({ position }, index) => position >= (tokens[index - 1]?.position ?? 0))).toBe(true)
      expect(analyzeText(text, null)).toEqual(tokens)
    }),
  )
})

it('every term of a query is a term of the same text', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 80 }), (text) => {
      const indexed = new Set(listTerms(text))
      const asked = analyzeQuery(text, null).flatMap(({ wholes, parts }) => [...wholes, ...parts])

      expect(asked.filter((term) => !indexed.has(term))).toEqual([])
    }),
  )
})

it('a query for a verb with its particle is one for the noun, in English', () => {
  const listParts = (query: string, language: string | null) =>
    analyzeQuery(query, language).flatMap(({ surface, parts }) => [[surface, ...parts]])

  expect(listParts('How do I back up data?', null)).toEqual([
    ['back up', 'backup'],
    ['data', 'data'],
  ])
  expect(listParts('back up', 'de').flat()).not.toContain('backup')
})
