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

/** Bitbucket answers 401 both to a token that it does not know and to one that may not. */
const notAllowed = z.object({
  errors: z.tuple([z.object({ exceptionName: z.string().endsWith('.AuthorisationException') })]),
})

/** How a Bitbucket Data Center is asked. */
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
  // The interface changes one file with each commit, so that half a change could be seen.
  createCommitter: null,
  checkAccess: checkBitbucketAccess,
}
