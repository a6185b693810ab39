import { z } from 'zod'

/** The fields read from GitHub's replies. */

const commitId = z.string().regex(/^[0-9a-f]{40,64}$/)

export const repositorySchema = z.object({
  full_name: z.string().regex(/^[^/\s]+\/[^/\s]+$/),
  default_branch: z.string().min(1),
})

export const refSchema = z.object({ object: z.object({ sha: commitId }) })

export const objectSchema = z.object({ sha: commitId })

export const commitSchema = z.object({
  sha: commitId,
  message: z.string(),
  tree: z.object({ sha: commitId }),
  parents: z.array(z.object({ sha: commitId })),
})

const time = z.iso.datetime({ offset: true })
/** The repository is null once a fork is deleted. */
const tip = z.object({ ref: z.string(), sha: commitId, repo: z.object({ id: z.number().int() }).nullish() })

/** A pull request, alone or in a list, where GitHub omits mergeability. */
export const pullSchema = z.object({
  number: z.number().int().positive(),
  node_id: z.string(),
  html_url: z.url({ protocol: /^https?$/ }),
  state: z.enum(['open', 'closed']),
  draft: z.boolean().nullish(),
  title: z.string(),
  body: z.string().nullish(),
  head: tip,
  base: tip,
  merged_at: z.string().nullish(),
  merge_commit_sha: z.string().nullish(),
  mergeable: z.boolean().nullish(),
  created_at: time,
  updated_at: time,
})

export const issueSchema = z
  .object({ html_url: z.url({ protocol: /^https?$/ }), body: z.string().nullish() })
  .transform(({ html_url: url, body }) => ({ url, body }))

export const commentSchema = z.object({ id: z.number().int().positive() })

export const commentTextSchema = commentSchema.extend({ body: z.string().nullish() })

export const hookSchema = z.object({
  id: z.number().int().positive(),
  config: z.object({ url: z.string().nullish() }),
})

export const userPermissionSchema = z.object({ permission: z.string() })

export const graphqlReplySchema = z.object({
  errors: z.array(z.object({ type: z.string().optional(), message: z.string() })).nullish(),
})

/** For replies that are not used. */
export const anySchema = z.unknown()
