import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach } from 'vitest'
import { createIdSource } from '../base/ids.ts'
import { importFolder } from '../git/bare-repository.ts'
import { writeCommit } from '../git/write-commit.ts'
import { writeTree } from '../git/write-tree.ts'
import { openStore } from '../store/open-store.ts'
import { insertOrganization } from '../store/organizations.ts'
import type { Store } from '../store/store.ts'
import { openBuiltinCodeHost } from './builtin-code-host.ts'
import { type BuiltinHostDeps, gitDirectoryOf } from './builtin-host-deps.ts'
import { type CodeHostHarness, declareCodeHostTests } from './code-host.conformance.ts'
import { createRepository } from './create-repository.ts'
import { mergePullRequest } from './merge-pull-request.ts'

const { signal } = new AbortController()
const author = { name: 'A. Writer', email: 'writer@example.com', at: 1_732_000_000_000 }
const opened: { store: Store; folder: string }[] = []
afterEach(async () => {
  for (const { store, folder } of opened.splice(0)) {
    await store.close()
    await rm(folder, { recursive: true })
  }
})

async function open(): Promise<CodeHostHarness> {
  const folder = await mkdtemp(join(tmpdir(), 'docent-host-'))
  const store = await openStore({ folder })
  opened.push({ store, folder })
  const clock = { now: () => Date.now() }
  const deps: BuiltinHostDeps = {
    store,
    clock,
    ids: createIdSource(clock),
    randomBytes,
    repositoryFolder: join(folder, 'repositories'),
    baseUrl: 'http://localhost:4000',
    onBranchMoved: async () => {},
  }
  await insertOrganization(store.durable, { id: 'default', name: 'Default', createdAt: 1 })
  const files = { paths: ['page.md'], read: async () => Buffer.from('Old\n') }
  const input = {
    organizationId: 'default',
    name: 'docs',
    fill: async (place: { gitDirectory: string; branch: string; scratchFolder: string }) => {
      await importFolder({ ...place, files, author, message: 'First' }, signal)
    },
  }
  const repository = await createRepository(deps, input, signal)
  const gitDirectory = gitDirectoryOf(deps, repository)
  return {
    host: openBuiltinCodeHost(deps, repository),
    async writeCommit({ parent, path, text }) {
      const changed = new Map([[path, { bytes: Buffer.from(text), isExecutable: false }]])
      const tree = await writeTree({ gitDirectory, base: parent, files: changed, scratchFolder: folder }, signal)
      return writeCommit({ gitDirectory, tree, parents: [parent], author, message: text }, signal)
    },
    async merge(id) {
      await mergePullRequest(deps, { id, expectedHead: null, by: 'Owner' }, signal)
    },
  }
}

declareCodeHostTests(open)
