import { z } from 'zod'
import type { RestRules } from '../forge/rest-code-host.ts'
import { checkBitbucketAccess } from './bitbucket-access.ts'
import { bitbucketHookSchema, bitbucketPaging } from './bitbucket-replies.ts'

/** What `bitbucketWebhook` reads. */
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

/** Bitbucket answers 401 both to an unknown token and to a missing permission. */
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
      write: 'Give it the permission "Repository write" there',
      membership: 'allowed to see it',
      git: 'Give it the permission "Repository write", and let the installation serve git over HTTP.',
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
  // The API commits one file at a time, so half a change could become visible.
  createCommitter: null,
  checkAccess: checkBitbucketAccess,
}
