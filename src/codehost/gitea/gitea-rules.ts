import { numberedPages } from '../forge/forge-paging.ts'
import type { RestRules } from '../forge/rest-code-host.ts'
import { checkGiteaAccess } from './gitea-access.ts'
import { createGiteaCommitter } from './gitea-commits.ts'
import { giteaDraftMark, giteaHookSchema } from './gitea-replies.ts'

/** The events that `giteaWebhook` parses. Forgejo uses the same names. */
const webhookEvents = [
  'push',
  'pull_request',
  'issue_comment',
  'pull_request_comment',
  'pull_request_review_approved',
  'pull_request_review_rejected',
  'pull_request_review_comment',
]

/** REST rules of Gitea and Forgejo, which are identical in everything used here. */
export const giteaRules: RestRules = {
  client: {
    apiPath: '/api/v1',
    authorize: ({ token }) => [{ authorization: `token ${token}` }],
    isRepeatable: (method, url) => method !== 'POST' || !/\/(?:comments|contents|hooks)$/.test(url.pathname),
    paging: numberedPages('limit', 50),
    remedies: {
      token: 'with the permissions "write:repository" and "write:issue"',
      write: 'Give it write access there',
      membership: 'a collaborator',
      git: 'Grant it the permission "write:repository", and enable git over HTTP on the installation.',
      readMissingScope: ({ words }) => /required scope\(s\)[^[]*\[([\w:, -]{1,200})\]/.exec(words)?.[1] ?? null,
    },
  },
  draftMark: giteaDraftMark,
  webhooks: {
    path: '/hooks',
    item: giteaHookSchema,
    changeMethod: 'PATCH',
    describe: ({ url, secret }, isNew) => ({
      ...(isNew ? { type: 'gitea' } : {}),
      config: { url, secret, content_type: 'json' },
      events: webhookEvents,
      active: true,
    }),
  },
  createCommitter: createGiteaCommitter,
  checkAccess: checkGiteaAccess,
}
