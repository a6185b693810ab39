import { z } from 'zod'
import type { ForgeClient } from '../forge/forge-client.ts'
import type { ForgeCommitter } from '../forge/push-files.ts'

const branchSchema = z.object({ commit: z.object({ id: z.string() }) })

const parentsSchema = z.array(z.object({ sha: z.string() }))

const commitSchema = z.object({
  sha: z.string(),
  parents: parentsSchema,
  commit: z.object({ message: z.string(), tree: z.object({ sha: z.string() }).nullish() }),
})

const filesSchema = z.object({ commit: z.object({ sha: z.string(), parents: parentsSchema }) })

/** Commits with one request each, after one that creates the branch. @param base Base path of the repository's API. */
export function createGiteaCommitter(client: ForgeClient, base: string): ForgeCommitter {
  return {
    async findTip(branch, signal) {
      const path = `${base}/branches/${encodeURIComponent(branch)}`
      return (await client.find({ path, reply: branchSchema }, signal))?.commit.id ?? null
    },

    async findCommit(id, signal) {
      const query = { stat: 'false', verification: 'false', files: 'false' }
      const found = await client.find({ path: `${base}/git/commits/${id}`, query, reply: commitSchema }, signal)
      if (found === null) return null
      const { message, tree } = found.commit
      return { id: found.sha, parents: found.parents.map(({ sha }) => sha), message, tree: tree?.sha ?? null }
    },

    async commit({ branch, isNew, parent, message, files: changed }, signal) {
      if (isNew) {
        const body = { new_branch_name: branch, old_ref_name: parent }
        await client.call({ method: 'POST', path: `${base}/branches`, body, reply: null }, signal)
      }
      const files = changed.map(({ path, operation, content, formerId }) => {
        return {
          path,
          operation,
          ...(content === null ? {} : { content }),
          ...(formerId === null ? {} : { sha: formerId }),
        }
      })
      const body = { branch, message, files }
      const { commit } = await client.call(
        { method: 'POST', path: `${base}/contents`, body, reply: filesSchema },
        signal,
      )
      return { id: commit.sha, parents: commit.parents.map(({ sha }) => sha) }
    },
  }
}
