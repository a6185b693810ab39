import { z } from 'zod'
import type { ForgeAdapter } from '../forge/forge-adapter.ts'
import { githubWebhook } from './github-webhook.ts'

/** github.com and Enterprise Server, which is always at the root of its host. */
export const githubAdapter: ForgeAdapter = {
  exampleAddress: 'https://github.com/owner/name',
  splitAddress: (segments) => (segments.length === 2 ? { above: [], path: segments } : null),
  editPath: (path, ref, file) => (ref === null ? `${path}/blob/HEAD/${file}` : `${path}/edit/${ref}/${file}`),
  viewPath: (path, { commit, file, line }) => `${path}/blob/${commit ?? 'HEAD'}/${file}#L${line}`,
  /** @see https://docs.github.com/enterprise-server/rest/meta */
  async isAt(ask) {
    const reply = await ask('/api/v3/meta')
    if (reply === null) return false
    const isNamed = reply.headers.has('x-github-enterprise-version') || reply.headers.has('x-github-request-id')
    return isNamed || z.object({ installed_version: z.string() }).safeParse(reply.body).success
  },
  webhook: githubWebhook,
  open: async (deps, repository) => (await import('./github-code-host.ts')).openGithubCodeHost(deps, repository),
}
