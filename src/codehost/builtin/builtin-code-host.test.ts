import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import {
  readBranch,
  writeBranch,
  writeCommitObject,
  writeFirstCommit,
  writeTreeObject,
} from '../../../test/support/loose-objects.ts'
import { createIdSource } from '../../base/ids.ts'
import { openStore } from '../../store/open-store.ts'
import { insertOrganization } from '../../store/accounts/organizations.ts'
import { getPullRequest, listComments } from '../../store/hosting/pull-requests.ts'
import type { Store } from '../../store/store.ts'
import { insertUser } from '../../store/accounts/users.ts'
import { openBuiltinCodeHost } from './builtin-code-host.ts'
import type { BuiltinHostDeps } from './builtin-host-deps.ts'
import { type CodeHostHarness, declareCodeHostTests } from '../../../test/codehost/code-host.conformance.ts'
import { createRepository } from './create-repository.ts'
import { mergePullRequest } from './merge-pull-request.ts'

const { signal } = new AbortController()
const author = { name: 'A. Writer', email: 'writer@example.com', at: 1_732_000_000_000 }
let folder: string
let store: Store
let repositories = 0
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'docent-host-'))
  store = await openStore({ folder })
  await insertOrganization(store.durable, { id: 'default', name: 'Default', createdAt: 1 })
  const owner = { id: 'user_1', organizationId: 'default', name: 'Owner', email: null, role: 'owner' as const }
  await insertUser(store.durable, { ...owner, createdAt: 1 })
})
afterAll(async () => {
  await store.close()
  await rm(folder, { recursive: true })
})

/** A new repository in the store shared by all tests. */
async function open(): Promise<CodeHostHarness> {
  const clock = { now: () => Date.now() }
  const deps: BuiltinHostDeps = {
    store,
    clock,
    ids: createIdSource(clock),
    randomBytes,
    repositoryFolder: join(folder, 'repositories'),
    baseUrl: 'http://localhost:4000',
    mergeFile: ({ ours, theirs }) => (ours.startsWith('List') ? ours + theirs : null),
    requiresApproval: false,
    onBranchMoved: async () => {},
  }
  const files = new Map([['page.md', Buffer.from('Old\n')]])
  let base = ''
  const input = {
    organizationId: 'default',
    name: `docs-${++repositories}`,
    fill: async (place: { gitDirectory: string }) => {
      base = writeFirstCommit(place.gitDirectory, { files, author })
    },
  }
  const repository = await createRepository(deps, input, signal)
  const gitDirectory = join(deps.repositoryFolder, repository.folder)
  const host = openBuiltinCodeHost(deps, repository)
  const write = ({ parent, path, text }: { parent: string; path: string; text: string }) => {
    const tree = writeTreeObject(gitDirectory, parent, new Map([[path, Buffer.from(text)]]))
    return writeCommitObject(gitDirectory, { tree, parents: [parent], author, message: text })
  }
  return {
    host,
    base,
    users: { owner: 'user_1', stranger: 'user_2' },
    writeCommit: async (change) => write(change),
    async commitTo(branch, change) {
      const commit = write({ ...change, parent: readBranch(gitDirectory, branch) ?? base })
      writeBranch(gitDirectory, branch, commit)
      return commit
    },
    async look(id) {
      const comments = await listComments(store.durable, id, 10)
      return { comments: comments.map(({ body }) => body), labels: [], reviewers: [] }
    },
    async listChecks(id) {
      const { checks = [] } = (await getPullRequest(store.durable, id)) ?? {}
      return Object.fromEntries(checks.map(({ name, state }) => [name, state]))
    },
    async merge(id) {
      await mergePullRequest(deps, { id, expectedHead: null, by: 'Owner', override: null }, signal)
    },
  }
}

declareCodeHostTests(open, {
  labels: 'the built-in host has no labels',
  webhooks: 'the built-in host tells of changes within the process',
  reviewers: 'whoever owns the organization decides on a pull request, and nobody is asked by name',
})

it('merges what the merger of files resolves, and says so before', async () => {
  const { host, commitTo, merge } = await open()
  const commit = await commitTo('topic', { path: 'page.md', text: 'List 1\n' })
  await commitTo('main', { path: 'page.md', text: 'List 2\n' })
  const opened = await host.openPullRequest(
    { branch: 'topic', base: null, title: 'T', body: '', isDraft: false, jobId: null, checks: [] },
    signal,
  )

  await merge(opened.id)

  expect(opened).toMatchObject({ isMergeable: true, head: { commit } })
  expect(await host.readPullRequest(opened.id, signal)).toMatchObject({ state: 'merged' })
})
