// Third-party emulation of GitHub: an independent check of what our own fake was built for. It has no git, GraphQL or
// conflicts, keeps duplicate pull requests and never moves their heads, so those are not tested here.
import { createServer, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import { createEmulator, type Emulator } from 'emulate'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createGitRepository, type GitRepository } from '../../../test/support/git-repository.ts'
import { openGithubHost } from '../../../test/support/github-host.ts'
import { readGithubRequest } from '../../../test/support/github-requests.ts'
import type { OpenPullRequestInput } from '../code-host.ts'
import { ForgeError } from '../forge/forge-error.ts'
import type { GithubAppCredential } from './github-credential.ts'
import { GithubApi } from './github-api.ts'
import { pushByApi } from './github-commits.ts'

const { signal } = new AbortController()
const all = { contents: 'write', issues: 'write', metadata: 'read', pull_requests: 'write' }
let emulator: Emulator
let local: GitRepository
let commit: string
const faults: string[] = []

beforeAll(async () => {
  const app = (app_id: number, account: string, permissions: object) => ({
    app_id,
    slug: `docent-${account}`,
    name: `Docent ${account}`,
    permissions,
    installations: [{ installation_id: app_id, account, repository_selection: 'all' }],
  })
  const repo = (owner: string) => ({ owner, name: 'docs', auto_init: true, private: true })
  const { pull_requests: _none, ...less } = all
  emulator = await createEmulator({
    service: 'github',
    port: await findFreePort(),
    seed: {
      github: {
        users: [{ login: 'octo' }],
        orgs: [{ login: 'acme', members: [{ login: 'octo', role: 'admin' }] }, { login: 'less' }],
        repos: [repo('acme'), repo('less')],
        apps: [app(1, 'acme', all), app(2, 'less', less)],
      },
    },
  })
  local = await createGitRepository()
  await local.write('docs.json', '{}')
  await local.write('guides/ä 1.mdx', 'Ünïcode\r\n')
  local.commit('Begin')
  await local.write('images/logo.png', Buffer.from([137, 80, 78, 71, 0, 255]))
  await local.write('guides/ä 1.mdx', 'Better\n')
  commit = local.commit('Change\n\nWhy.')
})
afterAll(async () => {
  await emulator.close()
  await local.remove()
})

async function findFreePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo // It listens on a port.
  await new Promise((resolve) => server.close(resolve))
  return port
}

function credentialOf(appId: string): GithubAppCredential {
  const privateKey = emulator.generatedSecrets.find(({ id }) => id === appId)?.value ?? ''
  return { kind: 'github-app', appId, privateKey, installationId: null }
}

/** Serves the API at the root of its address, like api.github.com. */
async function open(credential: GithubAppCredential, owner = 'acme') {
  const { origin } = new URL(emulator.url)
  const toRoot: typeof fetch = (target, init) => {
    const url = new URL(target instanceof Request ? target.url : target)
    const path = url.pathname.replace('/api/v3', '')
    const { method = 'GET', body } = init ?? {}
    const read = readGithubRequest({
      method,
      path,
      query: url.searchParams,
      body: typeof body === 'string' ? body : '',
    })
    faults.push(...(read?.faults ?? [`${method} ${path} is not described`]))
    return fetch(new URL(`${path}${url.search}`, origin), init)
  }
  const opened = await openGithubHost({ origin, path: `${owner}/docs` }, credential, { fetch: toRoot })
  return { ...opened, api: new GithubApi(opened.deps, opened.repository) }
}

const pullRequest: OpenPullRequestInput = {
  branch: 'docent/one',
  base: null,
  title: 'A change',
  body: 'Why.',
  isDraft: false,
  jobId: 'job_1',
  checks: [],
}

it('takes commits, a pull request and comments from an App, all of them in the described form', async () => {
  const { host, api, close } = await open(credentialOf('1'))
  const gitDirectory = join(local.folder, '.git')
  const push = { branch: 'docent/one', commit, expected: null, gitDirectory }

  const pushed = await pushByApi(api, push, signal)
  const again = await pushByApi(api, push, signal)
  const opened = await host.openPullRequest(pullRequest, signal)
  const found = await host.openPullRequest({ ...pullRequest, title: 'A better one' }, signal)
  const { commentId } = await host.comment({ id: opened.id, body: 'Hello' }, signal)
  await host.editComment({ id: opened.id, commentId, body: 'Hello again' }, signal)
  await host.addLabels({ id: opened.id, labels: ['documentation'] }, signal)
  const closed = await host.closePullRequest(opened.id, signal)

  expect(again).toEqual(pushed)
  expect(opened).toMatchObject({ number: 1, state: 'open', head: { branch: 'docent/one', commit: pushed.commit } })
  expect(found).toMatchObject({ id: opened.id, title: 'A better one' })
  expect(closed.state).toBe('closed')
  expect(await host.readPermission('octo', signal)).toBe('admin')
  expect(await host.readSource(signal)).toEqual({ repository: 'acme/docs', defaultBranch: 'main' })
  expect(faults).toEqual([])
  await close()
})

it('explains the refusal of an App with another key, and of one without the permission', async () => {
  const wrong = await open({ ...credentialOf('1'), privateKey: credentialOf('2').privateKey })
  const less = await open(credentialOf('2'), 'less')
  const failOf = (promise: Promise<unknown>) => promise.catch((reason: unknown) => reason)

  const [ofWrong, ofLess] = [
    await failOf(wrong.host.readSource(signal)),
    await failOf(less.host.openPullRequest(pullRequest, signal)),
  ]

  expect(ofWrong).toBeInstanceOf(ForgeError)
  expect(ofWrong).toMatchObject({ reason: 'unauthorized', message: expect.stringContaining('does not know the App') })
  expect(ofLess).toBeInstanceOf(ForgeError)
  expect(ofLess).toMatchObject({ reason: 'forbidden', message: expect.stringContaining('"Pull requests: Read') })
  await wrong.close()
  await less.close()
})
