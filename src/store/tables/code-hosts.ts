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
      name: unique(text()),
      folder: unique(text()),
      defaultBranch: text(),
      /** The number of the newest pull request. */
      pullRequestCount: integer(),
      createdAt: time(),
    },
    { indexes: { byOrganization: ['organizationId', 'id'] } },
  ),
  pullRequests: table(
    {
      id: id(),
      repositoryId: childOf('repositories.id'),
      number: integer(),
      secret: unique(text()),
      jobId: nullable(text()),
      title: text(),
      body: text(),
      isDraft: boolean(),
      state: text<'open' | 'merged' | 'closed'>(),
      headBranch: text(),
      headCommit: text(),
      baseBranch: text(),
      baseCommit: text(),
      mergeCommit: nullable(text()),
      checks: items<PullRequestCheckRecord>(),
      createdAt: time(),
      updatedAt: time(),
      endedAt: nullable(time()),
      endedBy: nullable(text()),
    },
    {
      unique: ['repositoryId', 'number'],
      indexes: {
        open: { columns: ['repositoryId', 'headBranch'], isUnique: true, where: "state = 'open'" },
        byJob: ['jobId'],
      },
    },
  ),
  pullRequestComments: table(
    {
      id: id(),
      pullRequestId: childOf('pullRequests.id'),
      author: text(),
      body: text(),
      createdAt: time(),
    },
    { indexes: { byPullRequest: ['pullRequestId', 'id'] } },
  ),
  /** Apps of organizations on code hosts. */
  codeHostApps: table(
    {
      id: id(),
      organizationId: childOf('organizations.id'),
      kind: text<'github'>(),
      origin: text(),
      appId: text(),
      slug: text(),
      privateKeySealed: text(),
      webhookSecretSealed: nullable(text()),
      hasVerifiedCommits: boolean(),
      createdAt: time(),
    },
    { unique: ['organizationId', 'kind', 'origin'], indexes: { byApp: ['kind', 'appId'] } },
  ),
}
