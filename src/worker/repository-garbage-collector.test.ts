import { mkdir, mkdtemp, readdir, rm, utimes } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createBareRepository } from '../git/repositories/bare-repository.ts'
import { insertOrganization } from '../store/accounts/organizations.ts'
import { openStore } from '../store/open-store.ts'
import { insertRepository } from '../store/hosting/repositories.ts'
import type { Store } from '../store/store.ts'
import { silentLog } from '../telemetry/log.ts'
import { hourMs } from '../base/durations.ts'
import { RepositoryGarbageCollector } from './repository-garbage-collector.ts'

const now = 1_732_000_000_000

let folder: string
let store: Store
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'docent-tidy-'))
  store = await openStore({ folder })
})
afterEach(async () => {
  await store.close()
  await rm(folder, { recursive: true })
})

it('removes day-old leftovers of a killed import, and nothing that is used or new', async () => {
  const repositoryFolder = join(folder, 'repositories')
  const names = ['repo_used.git', 'repo_old.git', 'repo_new.git', 'tree-old', 'notes']
  for (const name of names) {
    const path = join(repositoryFolder, name)
    await mkdir(path, { recursive: true })
    if (name === 'repo_used.git') await createBareRepository(path)
    const at = new Date(now - (name === 'repo_new.git' ? hourMs : 25 * hourMs))
    await utimes(path, at, at)
  }
  await insertOrganization(store.durable, { id: 'default', name: 'Default', createdAt: now })
  await insertRepository(store.durable, {
    id: 'repo_used',
    organizationId: 'default',
    name: 'default/docs',
    folder: 'repo_used.git',
    defaultBranch: 'main',
    createdAt: now,
  })

  await new RepositoryGarbageCollector({ store, clock: { now: () => now }, log: silentLog, repositoryFolder }).collect()

  expect((await readdir(repositoryFolder)).toSorted()).toEqual(['notes', 'repo_new.git', 'repo_used.git'])
})
