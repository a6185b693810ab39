import { expect, it } from 'vitest'
import { bitbucketPullRequestSchema, toPullRequest as fromBitbucket } from './bitbucket/bitbucket-replies.ts'
import { giteaPullRequestSchema, toPullRequest as fromGitea } from './gitea/gitea-replies.ts'
import { toPullRequest as fromGithub } from './github/github-pull-requests.ts'
import { pullSchema } from './github/github-replies.ts'
import { gitlabMergeRequestSchema, toPullRequest as fromGitlab } from './gitlab/gitlab-replies.ts'

const commit = 'a'.repeat(40)
const times = { created_at: '2026-01-02T03:04:05Z', updated_at: '2026-01-02T03:04:05Z' }
const common = { number: 1, html_url: 'https://forge.example/1', state: 'open', title: 'A change', ...times }

/** The repository of a branch: 1 is the site's own, 2 is a fork, null is a fork that was deleted. */
type Side = 1 | 2 | null

const github = (head: Side) => {
  const side = (id: Side) => ({ ref: 'topic', sha: commit, repo: id === null ? null : { id } })
  return fromGithub(pullSchema.parse({ ...common, node_id: 'PR_1', head: side(head), base: side(1) }))
}
const gitlab = (head: Side) => {
  const branches = { source_branch: 'topic', target_branch: 'main', source_project_id: head, target_project_id: 1 }
  const merge = gitlabMergeRequestSchema.parse({ ...common, iid: 1, web_url: common.html_url, ...branches })
  return fromGitlab(merge, { head: commit, base: commit })
}
const gitea = (head: Side) => {
  const side = (id: Side) => ({ ref: 'topic', sha: commit, repo_id: id })
  return fromGitea(giteaPullRequestSchema.parse({ ...common, head: side(head), base: side(1) }))
}
const bitbucket = (head: Side) => {
  const side = (id: Side) => ({
    id: 'refs/heads/topic',
    displayId: 'topic',
    latestCommit: commit,
    repository: { slug: `docs-${id}`, project: { key: 'DOCS' } },
  })
  const given = { id: 1, version: 0, state: 'OPEN', title: 'A change', createdDate: 1, updatedDate: 1 }
  const links = { self: [{ href: common.html_url }] }
  return fromBitbucket(bitbucketPullRequestSchema.parse({ ...given, links, fromRef: side(head), toRef: side(1) }), null)
}

it.each(Object.entries({ github, gitlab, gitea, bitbucket }))(
  'takes a pull request of %s for one from a fork unless both branches are in one repository',
  (_kind, read) => {
    expect([read(1), read(2), read(null)].map(({ isFromFork }) => isFromFork)).toEqual([false, true, true])
  },
)
