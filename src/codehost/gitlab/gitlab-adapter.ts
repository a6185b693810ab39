import { z } from 'zod'
import type { ForgeAdapter } from '../forge/forge-adapter.ts'
import { gitlabWebhook } from './gitlab-webhook.ts'

const version = z.object({ version: z.string(), revision: z.string() })
const refusal = z.object({ message: z.literal('401 Unauthorized') })

export const gitlabAdapter: ForgeAdapter = {
  exampleAddress: 'https://gitlab.com/group/project',
  // Groups nest, so a GitLab under a path is recognizable only from the source's origin.
  splitAddress: (segments) => ({ above: [], path: segments }),
  editPath: (path, ref, file) => `${path}/-/${ref === null ? 'blob/HEAD' : `edit/${ref}`}/${file}`,
  viewPath: (path, { commit, file, line }) => `${path}/-/blob/${commit ?? 'HEAD'}/${file}#L${line}`,
  /** GitLab shows its version only to signed-in users. @see https://docs.gitlab.com/api/version */
  async isAt(ask) {
    const reply = await ask('/api/v4/version')
    if (reply?.status === 200) return version.safeParse(reply.body).success
    return reply?.status === 401 && refusal.safeParse(reply.body).success
  },
  webhook: gitlabWebhook,
  open: async (deps, repository) => (await import('./gitlab-code-host.ts')).openGitlabCodeHost(deps, repository),
}
