import { z } from 'zod'
import type { RestRules } from '../forge/rest-code-host.ts'
import { checkBitbucketAccess } from './bitbucket-access.ts'
import { bitbucketHookSchema, bitbucketPaging } from './bitbucket-replies.ts'

/** The events that `bitbucketWebhook` parses. */
const webhookEvents = [
  'repo:refs_changed',
  'pr:opened',
  'pr:modified',
  'pr:from_ref_updated',
  'pr:merged',
  'pr:declined',
  'pr:deleted',
  'pr:comment:added',
]

/** Bitbucket answers 401 both for an unknown token and for a missing permission. */
const notAllowed = z.object({
  errors: z.tuple([z.object({ exceptionName: z.string().endsWith('.AuthorisationException') })]),
})

/** REST rules of Bitbucket Data Center. */
export const bitbucketRules: RestRules = {
  client: {
    apiPath: '/rest/api/latest',
    authorize: ({ token }) => [{ authorization: `Bearer ${token}` }],
    isRepeatable: (method, url) => method !== 'POST' || !/\/(?:comments|webhooks)$/.test(url.pathname),
    paging: bitbucketPaging,
    remedies: {
      token: 'with the permission "Repository write"',
      write: 'Grant it the permission "Repository write" there',
      membership: 'allowed to see it',
      git: 'Grant it the permission "Repository write", and enable git over HTTP on the installation.',
      readMissingScope: ({ body }) => (notAllowed.safeParse(body).success ? 'Repository write' : null),
    },
  },
  draftMark: null,
  webhooks: {
    path: '/webhooks',
    item: bitbucketHookSchema,
    changeMethod: 'PUT',
    describe: ({ url, secret }) => ({
      name: 'Docent',
      url,
      configuration: { secret },
      events: webhookEvents,
      active: true,
      sslVerificationRequired: true,
    }),
  },
  // The API commits one file at a time, which would expose half-done changes.
  createCommitter: null,
  checkAccess: checkBitbucketAccess,
}
