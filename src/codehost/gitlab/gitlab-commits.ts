import { z } from 'zod'
import type { ForgeClient } from '../forge/forge-client.ts'
import { gitlabBranchSchema } from './gitlab-replies.ts'
import type { ForgeCommitter } from '../forge/push-files.ts'

const commitSchema = z.object({ id: z.string(), parent_ids: z.array(z.string()), message: z.string() })

/**
 * Commits with one request each. @see https://docs.gitlab.com/api/commits/#create-a-commit
 *
 * @param root Base path of the project's API.
 */
export function createGitlabCommitter(client: ForgeClient, root: string): ForgeCommitter {
  const base = `${root}/repository`

  return {
    async findTip(branch, signal) {
      const path = `${base}/branches/${encodeURIComponent(branch)}`
      return (await client.find({ path, reply: gitlabBranchSchema }, signal))?.commit.id ?? null
    },

    async findCommit(id, signal) {
      const found = await client.find({ path: `${base}/commits/${id}`, reply: commitSchema }, signal)
      return found === null ? null : { id: found.id, parents: found.parent_ids, message: found.message, tree: null }
    },

    async commit({ branch, isNew, parent, message, files }, signal) {
      const actions = files.map(({ path, operation, content }) => {
        return { action: operation, file_path: path, ...(content === null ? {} : { content, encoding: 'base64' }) }
      })
      const body = { branch, commit_message: message, actions, ...(isNew ? { start_sha: parent } : {}) }
      const made = await client.call({ method: 'POST', path: `${base}/commits`, body, reply: commitSchema }, signal)
      return { id: made.id, parents: made.parent_ids }
    },
  }
}
