import { createHmac } from 'node:crypto'
import { createRequire } from 'node:module'
import { giteaSamples, gitlabSamples } from './webhook-samples.ts'
import { signStandardWebhook } from '../../src/codehost/webhooks/webhook-signature.ts'
import type { ForgeKind } from '../../src/contract/code-hosts.ts'
import { bitbucketSamples } from './bitbucket-samples.ts'
import { startBitbucketServer } from './bitbucket-server.ts'
import type { ForgeHooks } from './forge-hooks.ts'
import type { ForgeGitRepository } from './forge-repository.ts'
import type { ForgeServer } from './forge-server.ts'
import { startGiteaServer } from './gitea-server.ts'
import { startGitlabServer } from './gitlab-server.ts'

/** Kinds that share the REST base. GitHub has a fake of its own, because it is asked as an App too. */
export type RestForgeKind = Exclude<ForgeKind, 'github'>

/** A forge of tests with one repository, whatever its kind. */
export interface TestForge extends ForgeServer {
  kind: RestForgeKind
  /** Where it lies. */
  origin: string
  /** Where people see the repository. */
  location: string
  path: string
  /** Where the repository may be moved to. */
  otherPath: string
  token: string
  repository: ForgeGitRepository
  /** Where people see a pull request. */
  pullRequestUrl(number: number): string
  merge(number: number): Promise<void>
  /** What people see of a pull request. */
  look(number: number): { comments: string[]; labels: string[]; reviewers: string[] }
  hooks: ForgeHooks
  /** Absent if the kind has none. */
  issues?: readonly { title: string; body: string }[]
  checks?: Readonly<Record<string, string>>
  rename(path: string): void
  setToken(token: string): void
  protectBranch(branch: string): void
}

/** A forge of each kind. A kind without one does not compile. */
export const testForges: Readonly<Record<RestForgeKind, () => Promise<TestForge>>> = {
  async gitlab() {
    const [path, token] = ['acme/handbook/docs', 'glpat-through-the-product']
    const server = await startGitlabServer({ path, token })
    const location = `${server.origin}/${path}`
    const pullRequestUrl = (number: number) => `${location}/-/merge_requests/${number}`
    return { ...server, kind: 'gitlab', location, path, otherPath: 'acme/manuals/docs', token, pullRequestUrl }
  },
  async gitea() {
    const [path, token] = ['acme/docs', 'a1b2c3d4e5f60718293a4b5c6d7e8f9001122334']
    const server = await startGiteaServer({ path, token })
    const location = `${server.origin}/${path}`
    const pullRequestUrl = (number: number) => `${location}/pulls/${number}`
    return { ...server, kind: 'gitea', location, path, otherPath: 'umbrella/manuals', token, pullRequestUrl }
  },
  async bitbucket() {
    const [path, token] = ['DOCS/handbook', 'BBDC-through-the-product']
    const server = await startBitbucketServer({ path, token })
    const location = `${server.origin}/projects/DOCS/repos/handbook`
    const pullRequestUrl = (number: number) => `${location}/pull-requests/${number}`
    return { ...server, kind: 'bitbucket', location, path, otherPath: 'GUIDES/manual', token, pullRequestUrl }
  },
}

/** A webhook before it is signed. */
export interface UnsignedWebhook {
  body: Uint8Array
  secret: string
  event: string
  deliveryId: string
  /** UTC milliseconds. */
  at: number
}

export interface WebhookKind {
  /** The headers of a webhook: its signature, its event and its name. */
  sign(webhook: UnsignedWebhook): Readonly<Record<string, string>>
  /** Payloads that the kind documents, by the name of the event. */
  samples: readonly { event: string; payload: object }[]
}

// A module without types that fit its form: the payloads of GitHub, by the names of their events.
const githubExamples = createRequire(import.meta.url)('@octokit/webhooks-examples') as {
  name: string
  examples: object[]
}[]
const githubEvents = /^(?:push|pull_request|issue_comment|pull_request_review|pull_request_review_comment|repository)$/

export const webhookKinds: Readonly<Record<ForgeKind, WebhookKind>> = {
  github: {
    sign: ({ event, deliveryId, ...webhook }) => ({
      'x-hub-signature-256': `sha256=${toHex(webhook)}`,
      'x-github-event': event,
      'x-github-delivery': deliveryId,
    }),
    samples: githubExamples
      .filter(({ name }) => githubEvents.test(name))
      .flatMap(({ name, examples }) => examples.slice(0, 4).map((payload) => ({ event: name, payload }))),
  },
  gitlab: {
    sign({ body, secret, deliveryId, at }) {
      const timestamp = String(Math.floor(at / 1_000))
      const signature = signStandardWebhook({ id: deliveryId, timestamp, body, key: Buffer.from(secret, 'base64url') })
      return { 'webhook-id': deliveryId, 'webhook-timestamp': timestamp, 'webhook-signature': signature }
    },
    samples: gitlabSamples.map(({ payload }) => ({ event: 'Hook', payload })),
  },
  gitea: {
    sign: ({ event, deliveryId, ...webhook }) => ({
      'x-gitea-signature': toHex(webhook),
      'x-gitea-event': event,
      'x-gitea-delivery': deliveryId,
    }),
    samples: giteaSamples.map(({ header, payload }) => ({ event: header, payload })),
  },
  bitbucket: {
    sign: ({ event, deliveryId, ...webhook }) => ({
      'x-hub-signature': `sha256=${toHex(webhook)}`,
      'x-event-key': event,
      'x-request-id': deliveryId,
    }),
    samples: bitbucketSamples,
  },
}

function toHex({ body, secret }: Pick<UnsignedWebhook, 'body' | 'secret'>): string {
  return createHmac('sha256', secret).update(body).digest('hex')
}
