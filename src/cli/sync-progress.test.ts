import { expect, it } from 'vitest'
import type { SyncRunResource } from '../contract/admin.ts'
import { createSyncProgress } from './sync-progress.ts'

const run = (progress: SyncRunResource['progress'], state: SyncRunResource['state'] = 'running'): SyncRunResource => ({
  id: 'run_1',
  siteId: 'site_1',
  state,
  cause: 'sync-requested',
  failure: null,
  progress,
  createdAt: '2026-01-01T00:00:00.000Z',
  finishedAt: null,
})
const reading = (pagesDone: number) => run({ step: 'reading', pagesDone, pagesTotal: 400 })

it('draws one bar over itself on a terminal, never wider than it', () => {
  const written: string[] = []
  const progress = createSyncProgress({ isTTY: true, columns: 50, write: (text) => written.push(text) }, 'docs')

  progress.update(run(null, 'queued'))
  progress.update(reading(200))
  progress.end()

  expect(written[1]).toBe('\r\u001B[Kdocs  [############............]  reading pages 2')
  expect(written.join('')).not.toContain('\n')
  expect(written.at(-1)).toBe('\r\u001B[K')
})

it('writes a line for each step and each 200 pages elsewhere', () => {
  const written: string[] = []
  const progress = createSyncProgress({ write: (text) => written.push(text) }, 'docs')

  progress.update(run(null, 'queued'))
  for (let done = 0; done <= 400; done += 10) progress.update(reading(done))
  progress.update(run({ step: 'building', pagesDone: 400, pagesTotal: 400 }))
  progress.end()

  expect(written.join('')).toBe(
    'docs: waiting for the worker\ndocs: reading pages 0/400\ndocs: reading pages 200/400\n' +
      'docs: reading pages 400/400\ndocs: building the index\n',
  )
})
