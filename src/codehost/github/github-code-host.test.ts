import { afterAll, afterEach, describe, expect } from 'vitest'
import { openGithubHost } from '../../../test/support/github-host.ts'
import { everything, removeGithubTemplate, startGithubServer } from '../../../test/support/github-server.ts'
import { type CodeHostHarness, declareCodeHostTests } from '../code-host.conformance.ts'
import type { ForgeCredential } from '../forge/forge-host.ts'

const closing: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close()
})
afterAll(removeGithubTemplate)

/** Nothing may be sent that GitHub would not take. */
async function open(choose: (server: { app: object; token: string }) => ForgeCredential): Promise<CodeHostHarness> {
  const server = await startGithubServer()
  closing.push(() => server.stop())
  const { app } = server
  const opened = await openGithubHost(server, choose({ app, token: server.addToken(everything) }))
  closing.push(() => opened.close())
  closing.push(async () => expect(server.violations).toEqual([]))
  const { repository, pulls } = server.state
  return {
    host: opened.host,
    writeCommit: opened.writeCommit,
    users: { owner: 'octo', stranger: 'nobody' },
    async changeDefaultBranch({ path, text }) {
      const parent = repository.readRef('refs/heads/main') ?? ''
      const tree = repository.writeTree(parent, [{ path, mode: '100644', content: text }])
      repository.updateRef('refs/heads/main', repository.writeCommit({ tree, parents: [parent], message: 'Theirs' }))
    },
    merge: async (id) => pulls.merge(Number(id)),
    look: async (id) => pulls.look(Number(id)),
  }
}

const lacking = { checks: 'they are written into the description: an App alone may write checks, and a token not' }

describe('with a token, by git', () => {
  declareCodeHostTests(() => open(({ token }) => ({ kind: 'token', username: 'x-access-token', token })), lacking)
})

describe('as an App whose commits GitHub signs, by its interface', () => {
  declareCodeHostTests(
    () =>
      open(({ app }) => ({
        kind: 'github-app',
        ...(app as { appId: string; privateKey: string }),
        installationId: null,
        wantsVerifiedCommits: true,
      })),
    lacking,
  )
})
