import type {
  BranchSchema,
  CommitSchema,
  ExpandedMergeRequestSchema,
  MemberSchema,
  MergeRequestNoteSchema,
  ProjectSchema,
} from '@gitbeaker/rest'
import { ForgeHooks, gitlabHooks } from './forge-hooks.ts'
import { createForgeRepository, type ForgeGitRepository } from './forge-repository.ts'
import { type ForgeApiReply, type ForgeApiRequest, type ForgeServer, startForgeServer, textOf } from './forge-server.ts'
import { type GitlabMergeState, gitlabUsers } from './gitlab-merge-state.ts'
import { openPublishedApi } from './published-api.ts'

/** A GitLab with one project, as its documentation describes it, under a path as self-managed ones may be. */
export interface GitlabServer extends ForgeServer {
  /** With the path. */
  origin: string
  repository: ForgeGitRepository
  /** Changes what the interface and git ask for. */
  setToken(token: string): void
  setScopes(scopes: string[]): void
  /** The project lies at another path from now on; the old one redirects, for reading only. */
  rename(path: string): void
  protectBranch(branch: string): void
  /** As a person does: by a merge commit, a squash or a fast-forward. */
  merge(iid: number, method?: 'merge' | 'squash' | 'fast-forward'): Promise<void>
  look(iid: number): { comments: string[]; labels: string[]; reviewers: string[] }
  hooks: ForgeHooks
  issues: readonly { title: string; body: string }[]
  checks: Readonly<Record<string, string>>
}

const prefix = '/gitlab'

export async function startGitlabServer({
  path = 'acme/handbook/docs',
  token = 'glpat-secret',
} = {}): Promise<GitlabServer> {
  const repository = await createForgeRepository()
  const protectedBranches = new Set<string>()
  const project = new GitlabProjectState(repository, path, protectedBranches)
  const given = { token }
  const server = await startForgeServer({
    published: await openPublishedApi('gitlab', prefix),
    repository,
    apiPath: `${prefix}/api/v4`,
    repositoryPath: () => `${prefix}/${project.path}`,
    formerPaths: () => project.formerPaths.map((former) => `${prefix}/${former}`),
    token: () => given.token,
    readToken: ({ headers }) => {
      const own = headers['private-token']
      if (typeof own === 'string') return own
      const bearer = headers.authorization?.replace(/^Bearer /, '') ?? null
      // Bearers are taken from applications; the others have a header of their own here, as on old versions.
      return bearer?.startsWith('glpat-') === true ? null : bearer
    },
    unauthorized: { status: 401, body: { message: '401 Unauthorized' } },
    protectedBranches,
    answer: (request) => project.answer(request),
  })
  project.origin = `${server.url}${prefix}`
  return {
    ...server,
    origin: project.origin,
    repository,
    setToken: (changed) => {
      given.token = changed
    },
    setScopes: (scopes) => {
      project.scopes = scopes
    },
    rename: (to) => {
      project.formerPaths.push(project.path)
      project.path = to
    },
    protectBranch: (branch) => void protectedBranches.add(branch),
    merge: (iid, method = 'merge') => project.merge(iid, method),
    look: (iid) => project.look(iid),
    hooks: project.hooks,
    issues: project.issues,
    checks: project.checks,
    stop: async () => {
      await server.stop()
      await repository.remove()
    },
  }
}

const projectId = 42
const draftMark = /^(?:\[draft\]|\(draft\)|draft:)/i

class GitlabProjectState {
  path: string
  origin = ''
  scopes = ['api']
  readonly formerPaths: string[] = []
  readonly hooks = new ForgeHooks()
  readonly issues: { title: string; body: string }[] = []
  readonly checks: Record<string, string> = {}
  readonly #repository: ForgeGitRepository
  readonly #protectedBranches: ReadonlySet<string>
  readonly #merges: GitlabMergeState[] = []
  #ids = 100
  #seconds = 0

  constructor(repository: ForgeGitRepository, path: string, protectedBranches: ReadonlySet<string>) {
    this.#repository = repository
    this.path = path
    this.#protectedBranches = protectedBranches
  }

  async answer(request: ForgeApiRequest): Promise<ForgeApiReply> {
    const [first, second = '', ...rest] = request.segments
    if (first === 'users') return this.#listUsers(request.query.get('username') ?? '')
    if (first === 'personal_access_tokens') return { status: 200, body: { scopes: this.scopes, expires_at: null } }
    if (first !== 'projects') return notFound('404 Not Found')
    if (this.formerPaths.includes(second)) return this.#redirect(request, rest)
    if (second !== this.path && second !== String(projectId)) return notFound('404 Project Not Found')
    if (rest.length === 0) return { status: 200, body: this.#showProject() }
    switch (`${request.method} ${rest[0]} ${rest.length}`) {
      case 'GET repository 3':
        return rest[1] === 'branches' ? this.#showBranch(rest[2] ?? '') : this.#showCommit(rest[2] ?? '')
      case 'POST repository 2':
        return this.#commit(request)
      case 'GET hooks 1':
      case 'POST hooks 1':
      case 'PUT hooks 2': {
        const asked = { method: request.method, id: rest[1], ...gitlabHooks(request.body) }
        return this.hooks.answer(asked) ?? notFound('404 Not found')
      }
      case 'GET members 3':
        return this.#showMember(Number(rest[2]))
      case 'GET issues 1':
        return { status: 200, body: this.issues.map((issue) => this.#showIssue(issue)).toReversed() }
      case 'POST issues 1': {
        const issue = { title: textOf(request.body, 'title'), body: textOf(request.body, 'description') }
        this.issues.push(issue)
        return { status: 201, body: this.#showIssue(issue) }
      }
      case 'POST statuses 2':
        this.checks[textOf(request.body, 'name')] = textOf(request.body, 'state')
        return { status: 201, body: {} }
      case 'GET merge_requests 1':
        return this.#listMerges(request.query)
      case 'POST merge_requests 1':
        return this.#openMerge(request)
      default:
        return this.#answerMerge(request, rest)
    }
  }

  #showIssue({ title, body: description }: { title: string; body: string }) {
    const iid = this.issues.findIndex((issue) => issue.body === description) + 1
    return { iid, title, description, web_url: `${this.origin}/${this.path}/-/issues/${iid}` }
  }

  async #answerMerge({ method, body }: ForgeApiRequest, [, iid, part, noteId]: string[]): Promise<ForgeApiReply> {
    const merge = this.#merges.find((known) => String(known.iid) === iid)
    if (merge === undefined) return notFound('404 Not found')
    if (method === 'GET' && part === 'notes') return { status: 200, body: merge.notes }
    if (method === 'POST') return this.#addNote(merge, textOf(body, 'body'))
    if (method === 'PUT' && noteId !== undefined) return this.#editNote(merge, Number(noteId), textOf(body, 'body'))
    if (method === 'PUT') return this.#change(merge, body ?? {})
    const reply = { status: 200, body: await this.#showMerge(merge) }
    await this.#catchUp(merge)
    return reply
  }

  /** For methods that change something GitLab does not redirect. */
  #redirect({ method, query }: ForgeApiRequest, rest: readonly string[]): ForgeApiReply {
    if (method !== 'GET') {
      return { status: 405, body: { message: '405 Non GET methods are not allowed for moved projects' } }
    }
    const below = rest.map((part) => `/${encodeURIComponent(part)}`).join('')
    const search = query.size === 0 ? '' : `?${query}`
    return { status: 301, headers: { location: `${this.origin}/api/v4/projects/${projectId}${below}${search}` } }
  }

  #showProject() {
    const access = { access_level: 30, notification_level: 3 }
    return {
      id: projectId,
      path_with_namespace: this.path,
      default_branch: 'main',
      visibility: 'private',
      merge_requests_enabled: true,
      archived: false,
      permissions: { project_access: access, group_access: null },
    } satisfies Partial<Record<keyof ProjectSchema, unknown>>
  }

  async #showBranch(name: string): Promise<ForgeApiReply> {
    const id = this.#repository.tip(name)
    if (id === null) return notFound('404 Branch Not Found')
    const body = { name, default: name === 'main', protected: this.#protectedBranches.has(name), commit: { id } }
    return { status: 200, body: body satisfies Partial<Record<keyof BranchSchema, unknown>> }
  }

  async #showCommit(sha: string): Promise<ForgeApiReply> {
    const found = this.#repository.readCommit(sha)
    if (found === null) return notFound('404 Commit Not Found')
    const { id, parents, message } = found
    return { status: 200, body: { id, parent_ids: parents, message } satisfies Partial<CommitSchema> }
  }

  /** All files or none, on a branch that is there or on a new one. */
  async #commit({ body }: ForgeApiRequest): Promise<ForgeApiReply> {
    const refuse = (message: string, status = 400): ForgeApiReply => ({ status, body: { message } })
    const [branch, start] = [textOf(body, 'branch'), body?.['start_sha']]
    const tip = this.#repository.tip(branch)
    if (tip !== null && start !== undefined) {
      return refuse(`A branch called '${branch}' already exists. Switch to that branch in order to make changes`)
    }
    if (tip === null && start === undefined) return refuse('You can only create or edit files when you are on a branch')
    if (this.#protectedBranches.has(branch)) return refuse('You are not allowed to push into this branch', 403)
    const parent = tip ?? String(start)
    const files = new Map<string, Buffer | null>()
    for (const action of (body?.['actions'] ?? []) as Record<string, string>[]) {
      const { action: name = '', file_path: path = '', content = '', encoding } = action
      const isThere = this.#repository.findFile(parent, path) !== null
      if (name === 'create' && isThere) return refuse('A file with this name already exists')
      if (name !== 'create' && !isThere) return refuse("A file with this name doesn't exist")
      files.set(path, name === 'delete' ? null : Buffer.from(content, encoding === 'base64' ? 'base64' : 'utf8'))
    }
    const message = textOf(body, 'commit_message')
    const id = this.#repository.writeCommit({ parent, files, message })
    this.#repository.setBranch(branch, id)
    return { status: 201, body: { id, parent_ids: [parent], message } satisfies Partial<CommitSchema> }
  }

  #listUsers(username: string): ForgeApiReply {
    return { status: 200, body: gitlabUsers.filter((user) => user.username === username).map(showUser) }
  }

  #showMember(id: number): ForgeApiReply {
    const user = gitlabUsers.find((known) => known.id === id)
    if (user === undefined || user.level === 0) return notFound('404 Not found')
    const body = { ...showUser(user), access_level: user.level, expires_at: null }
    return { status: 200, body: body satisfies Partial<Record<keyof MemberSchema, unknown>> }
  }

  async #listMerges(query: URLSearchParams): Promise<ForgeApiReply> {
    const state = query.get('state') ?? 'all'
    const source = query.get('source_branch')
    const found = this.#merges.filter((merge) => {
      return (state === 'all' || merge.state === state) && (source === null || merge.source === source)
    })
    const shown = await Promise.all(found.toReversed().map((merge) => this.#showMerge(merge)))
    return { status: 200, body: shown.slice(0, Number(query.get('per_page') ?? 20)) }
  }

  async #openMerge({ body }: ForgeApiRequest): Promise<ForgeApiReply> {
    const [source, target] = [textOf(body, 'source_branch'), textOf(body, 'target_branch')]
    const [sha, startSha] = [this.#repository.tip(source), this.#repository.tip(target)]
    const missing = [sha === null ? 'source' : null, startSha === null ? 'target' : null].filter(
      (side) => side !== null,
    )
    if (missing.length > 0) {
      return { status: 400, body: { message: missing.map((side) => `${side}_branch does not exist`) } }
    }
    const open = this.#merges.find((known) => {
      return known.state === 'opened' && known.source === source && known.target === target
    })
    if (open !== undefined) {
      const message = [`Another open merge request already exists for this source branch: !${open.iid}`]
      return { status: 409, body: { message } }
    }
    const now = this.#now()
    const merge: GitlabMergeState = {
      iid: this.#merges.length + 1,
      title: textOf(body, 'title'),
      description: textOf(body, 'description'),
      source,
      target,
      state: 'opened',
      sha: null,
      judged: null,
      mergeCommit: null,
      squashCommit: null,
      startSha: null,
      labels: [],
      reviewers: [],
      notes: [],
      createdAt: now,
      updatedAt: now,
    }
    this.#merges.push(merge)
    const shown = await this.#showMerge(merge)
    await this.#catchUp(merge)
    return { status: 201, body: shown }
  }

  async #change(merge: GitlabMergeState, body: Readonly<Record<string, unknown>>): Promise<ForgeApiReply> {
    if (typeof body['title'] === 'string') {
      if (body['title'].length > 255) {
        return { status: 400, body: { message: { title: ['is too long (maximum is 255 characters)'] } } }
      }
      merge.title = body['title']
    }
    if (typeof body['description'] === 'string') merge.description = body['description']
    if (body['state_event'] === 'close') {
      if (merge.state !== 'opened')
        return { status: 422, body: { message: { state: ['cannot transition via "close"'] } } }
      merge.state = 'closed'
    }
    const labels = (body['add_labels'] as string[] | undefined) ?? []
    merge.labels = [...new Set([...merge.labels, ...labels])]
    merge.reviewers = (body['reviewer_ids'] as number[] | undefined) ?? merge.reviewers
    merge.updatedAt = this.#now()
    return { status: 200, body: await this.#showMerge(merge) }
  }

  #addNote(merge: GitlabMergeState, body: string): ForgeApiReply {
    const note = { id: this.#ids++, body }
    merge.notes.push(note)
    return { status: 201, body: note satisfies Partial<MergeRequestNoteSchema> }
  }

  #editNote(merge: GitlabMergeState, id: number, body: string): ForgeApiReply {
    const note = merge.notes.find((known) => known.id === id)
    if (note === undefined) return notFound('404 Note Not Found')
    note.body = body
    return { status: 200, body: note satisfies Partial<MergeRequestNoteSchema> }
  }

  async merge(iid: number, method: 'merge' | 'squash' | 'fast-forward'): Promise<void> {
    const merge = this.#merges.find((known) => known.iid === iid)
    if (merge === undefined) throw new Error(`There is no merge request ${iid}.`)
    const [head, base] = [this.#repository.tip(merge.source), this.#repository.tip(merge.target)]
    if (head === null || base === null) throw new Error('A branch is gone.')
    merge.sha = head
    merge.startSha = base
    if (method === 'fast-forward') this.#repository.setBranch(merge.target, head)
    else {
      const message = `Merge branch '${merge.source}' into '${merge.target}'`
      const commit = await this.#repository.merge({ from: merge.source, into: merge.target, message })
      if (commit === null) throw new Error('The branches do not join.')
      if (method === 'merge') merge.mergeCommit = commit
      else merge.squashCommit = commit
    }
    merge.state = 'merged'
    merge.updatedAt = this.#now()
  }

  look(iid: number): { comments: string[]; labels: string[]; reviewers: string[] } {
    const merge = this.#merges.find((known) => known.iid === iid)
    const names = gitlabUsers.filter(({ id }) => merge?.reviewers.includes(id)).map(({ username }) => username)
    return { comments: merge?.notes.map(({ body }) => body) ?? [], labels: merge?.labels ?? [], reviewers: names }
  }

  /** What GitLab's workers do some time after the request that made it necessary. */
  async #catchUp(merge: GitlabMergeState): Promise<void> {
    if (merge.state !== 'opened') return
    merge.sha = this.#repository.tip(merge.source)
    merge.startSha = this.#repository.tip(merge.target)
    merge.judged = await this.#readTips(merge)
  }

  async #readTips({ source, target }: GitlabMergeState): Promise<string> {
    return `${this.#repository.tip(source)} ${this.#repository.tip(target)}`
  }

  async #showMerge(merge: GitlabMergeState): Promise<Partial<ExpandedMergeRequestSchema>> {
    const isDraft = draftMark.test(merge.title)
    const isJudged = merge.state === 'opened' && merge.judged === (await this.#readTips(merge))
    const { source: from, target: into } = merge
    const merges = isJudged ? (await this.#repository.compare({ from, into })).merges : null
    const settled = merges === true ? 'can_be_merged' : 'cannot_be_merged'
    const open = isDraft ? 'draft_status' : merges === true ? 'mergeable' : 'conflict'
    // GitLab says so of conflicts since version 15.6, which the client's types do not know.
    const detailed = open as ExpandedMergeRequestSchema['detailed_merge_status']
    return {
      id: 1000 + merge.iid,
      iid: merge.iid,
      project_id: projectId,
      title: merge.title,
      description: merge.description,
      state: merge.state,
      created_at: merge.createdAt,
      updated_at: merge.updatedAt,
      source_branch: merge.source,
      target_branch: merge.target,
      source_project_id: projectId,
      target_project_id: projectId,
      draft: isDraft,
      work_in_progress: isDraft,
      labels: merge.labels,
      reviewers: gitlabUsers.filter(({ id }) => merge.reviewers.includes(id)).map(showUser),
      // Null until a worker has looked at the new merge request.
      sha: merge.sha as string,
      merge_commit_sha: merge.mergeCommit,
      squash_commit_sha: merge.squashCommit,
      ...(merge.sha === null || merge.startSha === null
        ? {}
        : { diff_refs: { base_sha: merge.startSha, head_sha: merge.sha, start_sha: merge.startSha } }),
      merge_status: merges === null ? 'checking' : settled,
      detailed_merge_status: merge.state === 'opened' ? (merges === null ? 'checking' : detailed) : 'not_open',
      has_conflicts: merges === false,
      web_url: `${this.origin}/${this.path}/-/merge_requests/${merge.iid}`,
    }
  }

  #now(): string {
    return new Date(1_732_000_000_000 + this.#seconds++ * 1000).toISOString()
  }
}

function showUser({ id, username }: { id: number; username: string }) {
  return { id, username, name: username, state: 'active', avatar_url: '', web_url: '' }
}

function notFound(message: string): ForgeApiReply {
  return { status: 404, body: { message } }
}
