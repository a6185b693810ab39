import type { WebhookEvent } from '../../src/codehost/webhooks/webhook-event.ts'

// Payloads from the hosts' documentation, without unused parts.

interface WebhookSample {
  name: string
  payload: object
  event: WebhookEvent
}

const gitlabProject = {
  id: 15,
  name: 'Diaspora',
  web_url: 'https://gitlab.example.com/mike/diaspora',
  path_with_namespace: 'mike/diaspora',
  default_branch: 'master',
}
const gitlabRepository = { path: 'mike/diaspora', url: 'https://gitlab.example.com/mike/diaspora' }
const gitlabNote = (attributes: object) => ({
  object_kind: 'note',
  event_type: 'note',
  user: { id: 1, name: 'Administrator', username: 'root' },
  project_id: 5,
  project: gitlabProject,
  object_attributes: {
    id: 1244,
    note: 'This MR needs work.',
    noteable_type: 'MergeRequest',
    system: false,
    action: 'create',
    url: 'https://gitlab.example.com/mike/diaspora/merge_requests/1#note_1244',
    ...attributes,
  },
  merge_request: { id: 7, iid: 1, target_branch: 'master', source_branch: 'markdown' },
})
const gitlabComment: WebhookEvent = {
  type: 'comment-added',
  repository: gitlabRepository,
  number: 1,
  commentId: 'note:1244',
  author: 'root',
  isBot: false,
  body: 'This MR needs work.',
  path: null,
  line: null,
}

/** @see https://docs.gitlab.com/user/project/integrations/webhook_events/ */
export const gitlabSamples: readonly WebhookSample[] = [
  {
    name: 'a push',
    payload: {
      object_kind: 'push',
      event_name: 'push',
      before: '95790bf891e76fee5e1747ab589903a6a1f80f22',
      after: 'da1560886d4f094c3e6c9ef40349f7d38b5d27d7',
      ref: 'refs/heads/master',
      user_username: 'jsmith',
      project: gitlabProject,
      commits: [],
      total_commits_count: 4,
    },
    event: { type: 'push', repository: gitlabRepository, ref: 'master', isDefaultBranch: true },
  },
  {
    name: 'a tag',
    payload: {
      object_kind: 'tag_push',
      before: '0'.repeat(40),
      after: '82b3d5ae55f7080f1e6022629cdb57bfae7cccc7',
      ref: 'refs/tags/v1.0.0',
      project: gitlabProject,
    },
    event: { type: 'push', repository: gitlabRepository, ref: 'v1.0.0', isDefaultBranch: false },
  },
  {
    name: 'a deleted branch',
    payload: { object_kind: 'push', after: '0'.repeat(40), ref: 'refs/heads/gone', project: gitlabProject },
    event: { type: 'ignored', reason: 'The branch or tag was deleted.' },
  },
  {
    name: 'a merged merge request',
    payload: {
      object_kind: 'merge_request',
      event_type: 'merge_request',
      user: { id: 1, username: 'root' },
      project: gitlabProject,
      object_attributes: { id: 99, iid: 1, state: 'merged', action: 'merge', source_branch: 'ms-viewport' },
    },
    event: { type: 'pull-request-changed', repository: gitlabRepository, number: 1 },
  },
  { name: 'a comment', payload: gitlabNote({}), event: gitlabComment },
  {
    name: 'a comment in the diff',
    payload: gitlabNote({ type: 'DiffNote', position: { new_path: 'docs/a.md', new_line: 4, old_line: null } }),
    event: { ...gitlabComment, path: 'docs/a.md', line: 4 },
  },
  {
    name: 'a comment by a project token',
    payload: { ...gitlabNote({}), user: { username: 'project_15_bot_4ffca233d8298ea1' } },
    event: { ...gitlabComment, author: 'project_15_bot_4ffca233d8298ea1', isBot: true },
  },
  {
    name: 'a system note',
    payload: gitlabNote({ system: true }),
    event: { type: 'ignored', reason: 'The host wrote the comment itself.' },
  },
  {
    name: 'an edited comment',
    payload: gitlabNote({ action: 'update' }),
    event: { type: 'ignored', reason: 'Only new comments are read.' },
  },
  {
    name: 'a comment on a commit',
    payload: { ...gitlabNote({ noteable_type: 'Commit' }), merge_request: undefined },
    event: { type: 'ignored', reason: 'The comment is not on a merge request.' },
  },
]

const giteaRepository = {
  id: 140,
  name: 'webhooks',
  full_name: 'gitea/webhooks',
  html_url: 'http://localhost:3000/gitea/webhooks',
  default_branch: 'master',
}
const giteaPlace = { path: 'gitea/webhooks', url: 'http://localhost:3000/gitea/webhooks' }
const giteaUser = { id: 1, login: 'gitea', full_name: 'Gitea', username: 'gitea' }
const giteaComment = {
  action: 'created',
  issue: { id: 13, number: 6, pull_request: { merged: false, merged_at: null } },
  comment: { id: 58, user: giteaUser, body: 'Looks good.' },
  repository: giteaRepository,
  sender: giteaUser,
  is_pull: true,
}
const giteaSaid: WebhookEvent = {
  type: 'comment-added',
  repository: giteaPlace,
  number: 6,
  commentId: 'comment:58',
  author: 'gitea',
  isBot: false,
  body: 'Looks good.',
  path: null,
  line: null,
}

/** @see https://docs.gitea.com/usage/webhooks */
export const giteaSamples: readonly (WebhookSample & { header: string })[] = [
  {
    name: 'a push',
    header: 'push',
    payload: {
      ref: 'refs/heads/develop',
      before: '28e1879d029cb852e4844d9c718537df08844e03',
      after: 'bffeb74224043ba2feb48d137756c8a9331c449a',
      commits: [],
      repository: giteaRepository,
      pusher: giteaUser,
      sender: giteaUser,
    },
    event: { type: 'push', repository: giteaPlace, ref: 'develop', isDefaultBranch: false },
  },
  {
    name: 'a closed pull request',
    header: 'pull_request',
    payload: {
      action: 'closed',
      number: 6,
      pull_request: { id: 3, number: 6, state: 'closed', merged: true },
      repository: giteaRepository,
      sender: giteaUser,
    },
    event: { type: 'pull-request-changed', repository: giteaPlace, number: 6 },
  },
  { name: 'a comment on a pull request', header: 'issue_comment', payload: giteaComment, event: giteaSaid },
  {
    name: 'a comment on a pull request, under its newer event name',
    header: 'pull_request_comment',
    payload: { ...giteaComment, is_pull: undefined, issue: undefined, pull_request: { number: 6 } },
    event: giteaSaid,
  },
  {
    name: 'a comment on an issue',
    header: 'issue_comment',
    payload: { ...giteaComment, is_pull: false, issue: { number: 6, pull_request: null } },
    event: { type: 'ignored', reason: 'The comment is not on a pull request.' },
  },
  {
    name: 'a review',
    header: 'pull_request_review_rejected',
    payload: {
      action: 'reviewed',
      number: 6,
      pull_request: { id: 3, number: 6 },
      repository: giteaRepository,
      sender: giteaUser,
      review: { type: 'pull_request_review_rejected', content: 'Please shorten it.' },
    },
    // The rest of the id is the hash of the payload.
    event: { ...giteaSaid, commentId: 'review:', body: 'Please shorten it.' },
  },
]
