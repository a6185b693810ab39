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
      /** Its bare repository in the repositories folder; never derived from user input. */
      folder: unique(text()),
      /** Without `refs/heads/`. */
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
      /** Counts from 1 within the repository. */
      number: integer(),
      /** Unguessable part of its address. */
      secret: unique(text()),
      /** Null for pull requests that people open. */
      jobId: nullable(text()),
      title: text(),
      /** Markdown. */
      body: text(),
      isDraft: boolean(),
      state: text<'open' | 'merged' | 'closed'>(),
      headBranch: text(),
      /** The tips when the record was last written; final once it has ended. */
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
        // One open pull request per branch, kept by the database, so that of two writers one finds the other's.
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
  /** Apps of organizations on code hosts. */
  codeHostApps: table(
    {
      id: id(),
      organizationId: childOf('organizations.id'),
      kind: text<'github'>(),
      /** Such as `https://github.com`. One App per organization and host. */
      origin: text(),
      /** The host's number for it. */
      appId: text(),
      /** Its name in the host's URLs. */
      slug: text(),
      /** Sealed by `sealSecret`. */
      privateKeySealed: text(),
      /** Sealed by `sealSecret`; null where it receives no webhooks. */
      webhookSecretSealed: nullable(text()),
      /** Whether commits go through the host's API, so that the host signs them. */
      hasVerifiedCommits: boolean(),
      createdAt: time(),
    },
    { unique: ['organizationId', 'kind', 'origin'], indexes: { byApp: ['kind', 'appId'] } },
  ),
}
