import { expect, it } from 'vitest'
import { createMemoryTree } from '../trees/memory-tree.ts'
import { findAddedSecrets } from './added-secrets.ts'
import { readChangedFiles } from './changed-files.ts'

const token = ['ghp_', 'kT9vQz3Lm8XrW2pBn5HdJ7cFy4GsA6uEq1Vo'].join('')
const { signal } = new AbortController()

async function find(before: Readonly<Record<string, string>>, change: Readonly<Record<string, string>>) {
  const trees = { before: createMemoryTree(before), after: createMemoryTree({ ...before, ...change }) }
  const files = await readChangedFiles({ ...trees, changedPaths: Object.keys(change) }, signal)
  const faults = await findAddedSecrets({ before: trees.before, files }, signal)
  return faults.map(({ rule, line, severity }) => `${rule} ${line} ${severity}`)
}

it('names the line of a secret that is new, but neither a value that stands in any file before nor its secret', async () => {
  const page = `# A\n\nToken: ${token}\n`

  expect(await find({ 'a.md': '# A\n' }, { 'a.md': page })).toEqual(['secret 3 block'])
  expect(await find({ 'a.md': '# A\n', 'data/old.txt': `x=${token}` }, { 'a.md': page })).toEqual([])
  expect(await find({ 'a.md': `${token}\n` }, { 'a.md': 'Moved.', 'b.md': page })).toEqual([])
})

it('finds a secret in the path of a new file', async () => {
  expect(await find({}, { [`${token}.md`]: 'Text.' })).toEqual(['secret null block'])
  expect(await find({ [`old/${token}.md`]: 'Text.' }, { [`new/${token}.md`]: 'Text.' })).toEqual([])
})

it('accepts a value whose hash an owner has allowed, and names the hash of one that is refused', async () => {
  const trees = { before: createMemoryTree({}), after: createMemoryTree({ 'a.md': token }) }
  const files = await readChangedFiles({ ...trees, changedPaths: ['a.md'] }, signal)

  const [refused] = await findAddedSecrets({ before: trees.before, files }, signal)
  const hash = /[0-9a-f]{64}/.exec(refused?.message ?? '')?.[0] ?? ''

  expect(refused?.message).not.toContain(token)
  expect(await findAddedSecrets({ before: trees.before, files, allowedSecrets: [hash] }, signal)).toEqual([])
})

it('warns of keys that are made to be public', async () => {
  expect(await find({}, { 'a.md': `pk_live_${token.slice(4, 28)}` })).toEqual(['publishable-key 1 warn'])
})
