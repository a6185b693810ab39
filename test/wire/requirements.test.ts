import { globSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, it } from 'vitest'
import { wireRequirements } from './requirements.ts'

const root = resolve(import.meta.dirname, '../..')

/** The ids in brackets at the end of test names, over all tests that may cite them. */
function readCitedIds(): Set<string> {
  const files = globSync(['src/contract/**/*.test.ts', 'src/server/**/*.test.ts', 'test/wire/**/*.test.ts'], {
    cwd: root,
  })
  const names = files.flatMap(
    (file) => readFileSync(resolve(root, file), 'utf8').match(/(['"`]).*\[[a-z0-9-]+\]\1/g) ?? [],
  )
  return new Set(
    names.flatMap((name) => [...name.matchAll(/\[([a-z0-9]+-[a-z0-9-]+)\]/g)].map((match) => match[1] ?? '')),
  )
}

it('has a test for every wire promise', () => {
  const cited = readCitedIds()

  expect(wireRequirements.map(({ id }) => id).filter((id) => !cited.has(id))).toEqual([])
})

it('cites only promises that are made', () => {
  const made = new Set(wireRequirements.map(({ id }) => id))

  expect([...readCitedIds()].filter((id) => !made.has(id))).toEqual([])
})

it('makes each promise once', () => {
  expect(new Set(wireRequirements.map(({ id }) => id)).size).toBe(wireRequirements.length)
})
