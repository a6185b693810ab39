import { z } from 'zod'
import type { ForgeAdapter } from '../forge/forge-adapter.ts'
import { giteaWebhook } from './gitea-webhook.ts'

/** The responses of Gitea and Forgejo when anonymous visitors see nothing. */
const refusal = z.object({ message: z.string().regex(/signed in|user does not exist|token is required/i) })

export const giteaAdapter: ForgeAdapter = {
  exampleAddress: 'https://codeberg.org/owner/name',
  splitAddress: (segments) => ({ above: segments.slice(0, -2), path: segments.slice(-2) }),
  editPath: (path, ref, file) => (ref === null ? path : `${path}/_edit/${ref}/${file}`),
  viewPath: (path, { commit, file, line }) => {
    if (commit === null) return path
    return `${path}/src/${/^[0-9a-f]{40,64}$/.test(commit) ? 'commit' : 'branch'}/${commit}/${file}#L${line}`
  },
  /** @see https://docs.gitea.com/api/ */
  async isAt(ask) {
    const reply = await ask('/api/v1/version')
    if (reply?.status === 200) return z.object({ version: z.string() }).safeParse(reply.body).success
    return (reply?.status === 401 || reply?.status === 403) && refusal.safeParse(reply.body).success
  },
  webhook: giteaWebhook,
  open: async (deps, repository) => (await import('./gitea-code-host.ts')).openGiteaCodeHost(deps, repository),
}
