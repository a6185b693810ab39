import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { openGithubHost } from '../../../test/support/github-host.ts'
import { everything, removeGithubTemplate, startGithubServer } from '../../../test/support/github-server.ts'
import { type CodeHostHarness, declareCodeHostTests } from '../../../test/codehost/code-host.conformance.ts'
import type { ForgeCredential } from '../forge/forge-host.ts'

const closing: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close()
})
afterAll(removeGithubTemplate)

/** Fails on any request that GitHub would not accept. */
async function open(choose: (server: { app: object; token: string }) => ForgeCredential): Promise<CodeHostHarness> {
  const server = await startGithubServer()
  closing.push(() => server.stop())
  const { app } = server
  const token = server.addToken({ ...everything, repository_hooks: 'write', statuses: 'write' })
  const credential = choose({ app, token })
  const opened = await openGithubHost(server, credential)
  closing.push(() => opened.close())
  closing.push(async () => expect(server.violations).toEqual([]))
  const { repository, pulls, hooks, issues, checks } = server.state
  const base = repository.readRef('refs/heads/main') ?? ''
  return {
    host: opened.host,
    base,
    writeCommit: opened.writeCommit,
    users: { owner: 'octo', stranger: 'nobody' },
    async commitTo(branch, { path, text }) {
      const parent = repository.readRef(`refs/heads/${branch}`) ?? base
      const tree = repository.writeTree(parent, [{ path, mode: '100644', content: text }])
      const commit = repository.writeCommit({ tree, parents: [parent], message: 'Theirs' })
      repository.updateRef(`refs/heads/${branch}`, commit)
      return commit
    },
    merge: async (id) => pulls.merge(Number(id)),
    look: async (id) => pulls.look(Number(id)),
    // The App has no permission to, because it has its own webhook.
    listIssues: () => issues,
    listChecks: async () => checks,
    ...(credential.kind === 'token' && { listWebhooks: () => hooks.all }),
  }
}

const lacking = { checks: 'they are written into the description: an App alone may write checks, and a token not' }

describe('with a token, by git', () => {
  declareCodeHostTests(() => open(({ token }) => ({ kind: 'token', username: 'x-access-token', token })), lacking)
})

const openAsApp = () =>
  open(({ app }) => ({
    kind: 'github-app',
    ...(app as { appId: string; privateKey: string }),
    installationId: null,
    wantsVerifiedCommits: true,
  }))

describe('as an App whose commits GitHub signs, through the API', () => {
  declareCodeHostTests(openAsApp, lacking)

  it('adds no webhook, because it is not granted that', async () => {
    const { host } = await openAsApp()
    const adding = host.ensureWebhook({ url: 'https://docs.example.com/', secret: 'x' }, new AbortController().signal)

    await expect(adding).rejects.toMatchObject({ reason: 'forbidden' })
  })
})
