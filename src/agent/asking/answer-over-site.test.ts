import { expect, it } from 'vitest'
import type { FileTree } from '../../content/trees/file-tree.ts'
import { createMemoryTree } from '../../content/trees/memory-tree.ts'
import { SiteAnswerer } from './answer-over-site.ts'

const files = {
  'keys.md': '# Keys\n\n## How long does a key live?\n\nA key lives for 30 days.',
  'jobs.md': '# Jobs\n\n## How often does a job run?\n\nA job runs every 5 minutes.',
}
const treeOf = (texts: Readonly<Record<string, string>>) => createMemoryTree(new Map(Object.entries(texts)))
const signal = AbortSignal.timeout(60_000)

it('reads a tree once, however many questions are asked', async () => {
  const reads: string[] = []
  const tree = treeOf(files)
  const counted: FileTree = {
    ...tree,
    read: (path) => {
      reads.push(path)
      return tree.read(path)
    },
  }
  const answerer = new SiteAnswerer()
  await answerer.answer(counted, 'How long does a key live?', signal)
  reads.length = 0

  const { answer, sources } = await answerer.answer(counted, 'How often does a job run?', signal)

  expect(answer).toContain('every 5 minutes')
  expect(sources).toEqual([{ path: '/jobs', title: 'Jobs' }])
  expect(reads).toEqual([])
})

it('answers from changed pages as they are, from others as before, and from deleted ones no more', async () => {
  const answerer = new SiteAnswerer()
  await answerer.answer(treeOf(files), 'How long does a key live?', signal)

  const changed = treeOf({ ...files, 'keys.md': files['keys.md'].replace('30', '90') })
  expect((await answerer.answer(changed, 'How long does a key live?', signal)).answer).toContain('90 days')
  expect((await answerer.answer(changed, 'How often does a job run?', signal)).answer).toContain('every 5 minutes')

  const deleted = treeOf({ 'keys.md': files['keys.md'] })
  expect((await answerer.answer(deleted, 'How often does a job run?', signal)).sources).toEqual([])
})
