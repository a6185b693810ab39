import { expect, it } from 'vitest'
import { filterFindings, listRules } from './filter-findings.ts'

const findings = [
  { file: 'guides/setup.mdx', line: 4, rule: 'link-broken', message: 'The page /nowhere does not exist.' },
  { file: 'docs.json', line: null, rule: 'navigation-page-missing', message: 'There is no page intro.' },
  { file: 'index.mdx', line: 9, rule: 'link-broken', message: 'The anchor #top does not exist.' },
]

it.each([
  [{ rule: '', text: '' }, 3],
  [{ rule: 'link-broken', text: '' }, 2],
  [{ rule: 'link-broken', text: ' NOWHERE ' }, 1],
  [{ rule: '', text: 'docs.json' }, 1],
  [{ rule: '', text: 'setup.mdx:4' }, 1],
  [{ rule: 'navigation-page-missing', text: 'anchor' }, 0],
])('finds for %o %d of three', (filter, count) => {
  expect(filterFindings(findings, filter)).toHaveLength(count)
})

it('lists each rule once, the most broken first', () => {
  expect(listRules(findings)).toEqual([
    { name: 'link-broken', count: 2 },
    { name: 'navigation-page-missing', count: 1 },
  ])
})
