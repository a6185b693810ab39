import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach } from 'vitest'
import { createIdSource } from '../../base/ids.ts'
import { importFolder } from '../../git/bare-repository.ts'
import { updateRef } from '../../git/refs.ts'
import { writeCommit } from '../../git/write-commit.ts'
import { writeTree } from '../../git/write-tree.ts'
import { openStore } from '../../store/open-store.ts'
import { insertOrganization } from '../../store/organizations.ts'
import { listComments } from '../../store/pull-requests.ts'
import type { Store } from '../../store/store.ts'
import { insertUser } from '../../store/users.ts'
import { openBuiltinCodeHost } from './builtin-code-host.ts'
import type { BuiltinHostDeps } from './builtin-host-deps.ts'
import { type CodeHostHarness, declareCodeHostTests } from '../code-host.conformance.ts'
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
  const gitDirectory = join(deps.repositoryFolder, repository.folder)
  const host = openBuiltinCodeHost(deps, repository)
  const change: CodeHostHarness['writeCommit'] = async ({ parent, path, text }) => {
    const changed = new Map([[path, { bytes: Buffer.from(text), isExecutable: false }]])
    const tree = await writeTree({ gitDirectory, base: parent, files: changed, scratchFolder: folder }, signal)
    return writeCommit({ gitDirectory, tree, parents: [parent], author, message: text }, signal)
  }
  const owner = {
    id: 'user_1',
    organizationId: 'default',
    name: 'Owner',
    email: null,
    role: 'owner' as const,
    createdAt: 1,
  }
  await insertUser(store.durable, owner)
  return {
    host,
    users: { owner: owner.id, stranger: 'user_2' },
    writeCommit: change,
    async changeDefaultBranch({ path, text }) {
      const { branch, commit: expected } = await host.resolveBranch(null, signal)
      const to = await change({ parent: expected, path, text })
      await updateRef({ gitDirectory, ref: `refs/heads/${branch}`, to, expected }, signal)
    },
    async look(id) {
      const comments = await listComments(store.durable, id, 10)
      return { comments: comments.map(({ body }) => body), labels: [], reviewers: [] }
    },
    async merge(id) {
      await mergePullRequest(deps, { id, expectedHead: null, by: 'Owner' }, signal)
    },
  }
}

declareCodeHostTests(open, {
  labels: 'the built-in host has no labels',
  reviewers: 'whoever owns the organization decides on a pull request, and nobody is asked by name',
})
