import { z } from 'zod'
import type { ForgeAdapter } from '../forge/forge-adapter.ts'
import { bitbucketWebhook } from './bitbucket-webhook.ts'
import { pagePath } from './bitbucket-paths.ts'

const properties = z.object({ displayName: z.literal('Bitbucket'), version: z.string() })

/** Web addresses of a project's or user's repository, and clone addresses. */
const address = /^(?:(.+)\/)?(?:projects\/([^/]+)\/repos|users\/([^/]+)\/repos|scm\/([^/]+))\/([^/]+)(?:\/browse)?$/

/** Bitbucket Data Center. Repositories are named `KEY/slug`, or `~user/slug` in a personal space. */
export const bitbucketAdapter: ForgeAdapter = {
  exampleAddress: 'https://bitbucket.example.com/projects/KEY/repos/name',
  splitAddress(segments) {
    const found = address.exec(segments.join('/'))
    if (found === null) return null
    const [, above, key, user, scmKey, slug = ''] = found
    const owner = user === undefined ? (key ?? scmKey ?? '') : `~${user}`
    return { above: above?.split('/') ?? [], path: [owner, slug] }
  },
  pagePath,
  editPath: (path, ref, file) => `${pagePath(path)}/browse/${file}${ref === null ? '' : `?at=${ref}`}`,
  viewPath: (path, { commit, file, line }) =>
    `${pagePath(path)}/browse/${file}${commit === null ? '' : `?at=${commit}`}#${line}`,
  clonePath: (path) => `scm/${path}`,
  async isAt(ask) {
    const reply = await ask('/rest/api/latest/application-properties')
    return reply?.status === 200 && properties.safeParse(reply.body).success
  },
  webhook: bitbucketWebhook,
  open: async (deps, repository) => (await import('./bitbucket-code-host.ts')).openBitbucketCodeHost(deps, repository),
}
