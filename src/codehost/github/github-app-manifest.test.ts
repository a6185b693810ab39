import { afterAll, afterEach, expect, it } from 'vitest'
import { openGithubHost } from '../../../test/support/github-host.ts'
import { type GithubScript, removeGithubTemplate, startGithubServer } from '../../../test/support/github-server.ts'
import { AppError } from '../../contract/app-error.ts'
import { convertManifestCode, createManifest, manifestFormUrl } from './github-app-manifest.ts'

const { signal } = new AbortController()
const closing: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close()
})
afterAll(removeGithubTemplate)

async function setup(script: GithubScript | null) {
  const github = await startGithubServer({ intercept: () => script })
  closing.push(() => github.stop())
  const { deps, close } = await openGithubHost(github, null)
  closing.push(close)
  return { github, convert: (code: string) => convertManifestCode(deps, { origin: github.origin, code }, signal) }
}

it('asks for the permissions and events that are needed, and no others', () => {
  const name = 'Documentation of Acme, by Docent and nobody else'

  expect(createManifest({ baseUrl: 'https://docs.acme.com/docent', name })).toEqual({
    name: 'Documentation of Acme, by Docent a',
    url: 'https://docs.acme.com/docent',
    hook_attributes: { url: 'https://docs.acme.com/docent/webhooks/github', active: true },
    redirect_url: 'https://docs.acme.com/docent',
    public: false,
    default_permissions: {
      checks: 'write',
      contents: 'write',
      issues: 'write',
      metadata: 'read',
      pull_requests: 'write',
    },
    default_events: ['push', 'pull_request', 'issue_comment', 'pull_request_review', 'pull_request_review_comment'],
  })
})

it.each(['http://localhost:3000', 'http://127.0.0.1:4000', 'http://[::1]:4000'])(
  'leaves webhooks out for %s, which GitHub cannot reach',
  (baseUrl) => {
    const manifest = createManifest({ baseUrl, name: 'Docent', redirectUrl: `${baseUrl}/back` })

    expect(manifest).toMatchObject({ default_events: [], redirect_url: `${baseUrl}/back` })
    expect(manifest.hook_attributes).toBeUndefined()
  },
)

it('names the page where the App is created', () => {
  const origin = 'https://github.com'

  expect(manifestFormUrl({ origin, organization: 'acme', state: 'a b' })).toBe(
    'https://github.com/organizations/acme/settings/apps/new?state=a%20b',
  )
  expect(manifestFormUrl({ origin, organization: null, state: 'x' })).toBe(
    'https://github.com/settings/apps/new?state=x',
  )
})

it('takes the App and its secrets', async () => {
  const app = { id: 12, name: 'Docent', slug: 'docent-acme', html_url: 'https://github.com/apps/docent-acme' }
  const body = { ...app, pem: 'a key', webhook_secret: 'a secret', client_secret: 'more' }
  const { github, convert } = await setup({ status: 201, body })

  expect(await convert('a/code')).toEqual({
    appId: '12',
    name: 'Docent',
    slug: 'docent-acme',
    url: 'https://github.com/apps/docent-acme',
    privateKey: 'a key',
    webhookSecret: 'a secret',
  })
  expect([github.routes, github.violations]).toEqual([['POST /app-manifests/{code}/conversions'], []])
})

it('reports a code that was already used', async () => {
  const { convert } = await setup(null)

  const error: unknown = await convert('old').catch((reason: unknown) => reason)

  expect(error).toBeInstanceOf(AppError)
  expect(error).toMatchObject({ code: 'invalid_request', message: expect.stringContaining('Create the App again.') })
})
