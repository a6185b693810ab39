import type { DiffSide, ReviewVerdict } from '../../contract/pull-request-review.ts'
import { boolean, childOf, id, integer, items, nullable, table, text, time, unique } from './define-table.ts'

export interface PullRequestCheckRecord {
  name: string
  state: 'passed' | 'warning' | 'failed'
  summary: string
}

export const codeHostTables = {
  /** Bare repositories of the built-in host. */
  repositories: table(
    {
      id: id(),
      organizationId: childOf('organizations.id'),
      /** Organization and name, such as `default/docs`. */
      name: unique(text()),
      /** Bare repository in the repositories folder; never derived from user input. */
      folder: unique(text()),
      /** Without `refs/heads/`. */
      defaultBranch: text(),
      /** Number of the newest pull request. */
      pullRequestCount: integer(),
      createdAt: time(),
    },
    { indexes: { byOrganization: ['organizationId', 'id'] } },
  ),
  pullRequests: table(
    {
      id: id(),
      repositoryId: childOf('repositories.id'),
      /** Counts from 1 within the repository. */
      number: integer(),
      /** Unguessable part of its URL. */
      secret: unique(text()),
      /** Null for pull requests opened by people. */
      jobId: nullable(text()),
      /** Its author, as `user:…` or `key:…`; null if a job did. */
      authorId: nullable(text()),
      title: text(),
      /** Markdown. */
      body: text(),
      isDraft: boolean(),
      state: text<'open' | 'merged' | 'closed'>(),
      headBranch: text(),
      /** The tips when the record was last written; final once it is merged or closed. */
      headCommit: text(),
      baseBranch: text(),
      baseCommit: text(),
      /** Null unless merged. */
      mergeCommit: nullable(text()),
      checks: items<PullRequestCheckRecord>(),
      createdAt: time(),
      updatedAt: time(),
      endedAt: nullable(time()),
      /** Name of the person who merged or closed it. */
      endedBy: nullable(text()),
    },
    {
      unique: ['repositoryId', 'number'],
      indexes: {
        // The database enforces one open pull request per branch, so that of two concurrent writers one finds the
        // other's.
        open: { columns: ['repositoryId', 'headBranch'], isUnique: true, where: "state = 'open'" },
        byJob: ['jobId'],
      },
    },
  ),
  /** Comments on lines of a file. */
  pullRequestThreads: table(
    {
      id: id(),
      pullRequestId: childOf('pullRequests.id'),
      path: text(),
      side: text<DiffSide>(),
      /** Counted from 1, both included. */
      firstLine: integer(),
      lastLine: integer(),
      /** Full id of the commit in which the lines are counted. */
      commit: text(),
      /** The lines when the comment was written. */
      text: text(),
      /** Display name; null if it is not resolved. */
      resolvedBy: nullable(text()),
      createdAt: time(),
    },
    { indexes: { byPullRequest: ['pullRequestId', 'id'] } },
  ),
  pullRequestComments: table(
    {
      id: id(),
      pullRequestId: childOf('pullRequests.id'),
      /** Null for comments on the pull request as a whole. */
      threadId: nullable(childOf('pullRequestThreads.id')),
      /** `user:…` or `key:…`; null for what the service records, which nobody edits. */
      authorId: nullable(text()),
      /** Display name. */
      author: text(),
      /** Markdown. */
      body: text(),
      /** Full id of the commit that applied its suggestion; null if none has. */
      appliedIn: nullable(text()),
      createdAt: time(),
      editedAt: nullable(time()),
    },
    { indexes: { byPullRequest: ['pullRequestId', 'id'] } },
  ),
  pullRequestReviews: table(
    {
      id: id(),
      pullRequestId: childOf('pullRequests.id'),
      /** `user:…` or `key:…`. */
      authorId: text(),
      /** Display name. */
      author: text(),
      verdict: text<ReviewVerdict>(),
      /** Markdown; may be empty. */
      body: text(),
      /** Full id of the commit that was reviewed. */
      commit: text(),
      createdAt: time(),
    },
    { indexes: { byPullRequest: ['pullRequestId', 'id'] } },
  ),
  /** The files of a pull request that a member has viewed, with the content that they saw. */
  pullRequestViewedFiles: table(
    {
      pullRequestId: childOf('pullRequests.id'),
      userId: childOf('users.id'),
      path: text(),
      /** Full id. */
      blob: text(),
    },
    { primaryKey: ['pullRequestId', 'userId', 'path'] },
  ),
  /** Organizations' Apps on code hosts. */
  codeHostApps: table(
    {
      id: id(),
      organizationId: childOf('organizations.id'),
      kind: text<'github'>(),
      /** Such as `https://github.com`. One App per organization and host. */
      origin: text(),
      /** Numeric id assigned by the host. */
      appId: text(),
      /** Its name in the host's URLs. */
      slug: text(),
      /** Sealed by `sealSecret`. */
      privateKeySealed: text(),
      /** Sealed by `sealSecret`; null if the App receives no webhooks. */
      webhookSecretSealed: nullable(text()),
      /** Whether to commit through the host's API, so that the host signs the commits. */
      hasVerifiedCommits: boolean(),
      createdAt: time(),
    },
    { unique: ['organizationId', 'kind', 'origin'], indexes: { byApp: ['kind', 'appId'] } },
  ),
}
