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
      /** Name of whoever merged or closed it. */
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
  pullRequestComments: table(
    {
      id: id(),
      pullRequestId: childOf('pullRequests.id'),
      /** Display name. */
      author: text(),
      /** Markdown. */
      body: text(),
      createdAt: time(),
    },
    { indexes: { byPullRequest: ['pullRequestId', 'id'] } },
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
