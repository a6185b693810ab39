import { z } from 'zod'
import type { BranchTip, PullRequest } from '../code-host.ts'
import type { ForgePaging } from '../forge/forge-paging.ts'

/** The fields read from Bitbucket's replies. @see https://developer.atlassian.com/server/bitbucket/rest */
export const bitbucketRepositorySchema = z.object({
  slug: z.string(),
  name: z.string(),
  archived: z.boolean().nullish(),
  public: z.boolean().nullish(),
  project: z.object({ key: z.string() }),
})
export type BitbucketRepository = z.infer<typeof bitbucketRepositorySchema>

/** Has no body while the repository is empty. */
export const bitbucketDefaultBranchSchema = z.object({ displayId: z.string() }).nullable()

const sideSchema = z.object({
  id: z.string(),
  displayId: z.string(),
  latestCommit: z.string(),
  repository: z.object({ slug: z.string(), project: z.object({ key: z.string() }) }),
})

export const bitbucketPullRequestSchema = z.object({
  id: z.number().int().positive(),
  /** Incremented by each update; an update based on an older version is rejected. */
  version: z.number().int(),
  state: z.enum(['OPEN', 'MERGED', 'DECLINED']),
  title: z.string(),
  description: z.string().nullish(),
  draft: z.boolean().nullish(),
  fromRef: sideSchema,
  toRef: sideSchema,
  reviewers: z.array(z.object({ user: z.object({ name: z.string() }) })).nullish(),
  properties: z.object({ mergeCommit: z.object({ id: z.string() }).nullish() }).nullish(),
  links: z.object({ self: z.array(z.object({ href: z.string() })).min(1) }),
  createdDate: z.number(),
  updatedDate: z.number(),
})
export type BitbucketPullRequest = z.infer<typeof bitbucketPullRequestSchema>

export const bitbucketMergeabilitySchema = z.object({
  conflicted: z.boolean().nullish(),
  outcome: z.string().nullish(),
})
type BitbucketMergeability = z.infer<typeof bitbucketMergeabilitySchema>

export const bitbucketCommentSchema = z.object({ id: z.number().int(), version: z.number().int(), text: z.string() })

/** A pull request activity; only comments have `comment`. */
export const bitbucketActivitySchema = z.object({
  action: z.string(),
  comment: z.object({ id: z.number().int(), text: z.string().nullish() }).nullish(),
})

export const bitbucketHookSchema = z.object({ id: z.number().int(), url: z.string().nullable().default(null) })

export const bitbucketUserSchema = z.object({ name: z.string() })

/** Whether both branches are in the repository itself, not in a fork. */
export function isOwnBranch({ fromRef, toRef }: BitbucketPullRequest): boolean {
  const [from, to] = [fromRef.repository, toRef.repository]
  return from.slug === to.slug && from.project.key === to.project.key
}

/** @param mergeability Null if closed. */
export function toPullRequest(pull: BitbucketPullRequest, mergeability: BitbucketMergeability | null): PullRequest {
  const { id, state, fromRef, toRef } = pull
  return {
    id: String(id),
    number: id,
    url: pull.links.self[0]?.href ?? '',
    state: state === 'OPEN' ? 'open' : state === 'MERGED' ? 'merged' : 'closed',
    isDraft: pull.draft ?? false,
    isFromFork: !isOwnBranch(pull),
    title: pull.title,
    body: pull.description ?? '',
    head: toTip(fromRef),
    base: toTip(toRef),
    mergeCommit: state === 'MERGED' ? (pull.properties?.mergeCommit?.id ?? null) : null,
    isMergeable: mergeability === null ? null : readMergeability(mergeability),
    createdAt: pull.createdDate,
    updatedAt: pull.updatedDate,
  }
}

function toTip({ displayId, latestCommit }: z.infer<typeof sideSchema>): BranchTip {
  return { branch: displayId, commit: latestCommit }
}

/** Vetoes, such as a missing approval, are not conflicts. */
function readMergeability({ conflicted, outcome }: BitbucketMergeability): boolean | null {
  if (conflicted === true || outcome === 'CONFLICTED') return false
  return outcome === 'CLEAN' ? true : null
}

const pageSize = 100

/** Each page names the start of the next. */
export const bitbucketPaging: ForgePaging = {
  query: (start) => ({ limit: pageSize, start: start ?? 0 }),
  page: (item) =>
    z
      .object({ values: z.array(item), isLastPage: z.boolean(), nextPageStart: z.number().nullish() })
      .transform(({ values, isLastPage, nextPageStart }) => ({
        items: values,
        next: isLastPage ? null : (nextPageStart ?? null),
      })),
}
