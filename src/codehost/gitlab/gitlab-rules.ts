import { z } from 'zod'
import type { ForgeTokenCredential } from '../forge/forge-client.ts'
import { numberedPages } from '../forge/forge-paging.ts'
import type { RestRules } from '../forge/rest-code-host.ts'
import { checkGitlabAccess } from './gitlab-access.ts'
import { createGitlabCommitter } from './gitlab-commits.ts'
import { gitlabDraftMark, gitlabHookSchema } from './gitlab-replies.ts'

/** Prefixes of tokens that GitLab accepts in its own header: personal, project and group, trigger, deploy. */
const ownTokens = /^(?:glpat|glptt|gldt|glcbt|gloas)-/

/**
 * Application tokens are accepted only as bearer tokens. Installations may use their own prefixes, so tokens with an
 * unknown prefix are tried both ways.
 */
function authorize({ token }: ForgeTokenCredential): readonly Readonly<Record<string, string>>[] {
  const own = { 'private-token': token }
  return ownTokens.test(token) ? [own] : [{ authorization: `Bearer ${token}` }, own]
}

const missingScope = z.object({ error: z.literal('insufficient_scope'), scope: z.string().default('api') })

/** The events that `gitlabWebhook` parses. */
const webhookEvents = { push_events: true, tag_push_events: true, merge_requests_events: true, note_events: true }

/** REST rules of GitLab. */
export const gitlabRules: RestRules = {
  client: {
    apiPath: '/api/v4',
    authorize,
    isRepeatable: (method, url) => method !== 'POST' || !/\/(?:notes|hooks|repository\/commits)$/.test(url.pathname),
    paging: numberedPages('per_page', 100),
    remedies: {
      token: 'with the scope "api"',
      write: 'Give it the role Developer there',
      membership: 'a member',
      git: 'Give it the scopes "read_repository" and "write_repository", or "api", and its account the role Developer.',
      readMissingScope: ({ body }) => missingScope.safeParse(body).data?.scope ?? null,
    },
  },
  draftMark: gitlabDraftMark,
  webhooks: {
    path: '/hooks',
    item: gitlabHookSchema,
    changeMethod: 'PUT',
    describe: ({ url, secret }) => ({ url, token: secret, ...webhookEvents, enable_ssl_verification: true }),
  },
  createCommitter: createGitlabCommitter,
  checkAccess: checkGitlabAccess,
}
