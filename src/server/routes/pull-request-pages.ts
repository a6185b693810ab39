import type { FairGate } from '../../base/fair-gate.ts'
import { addComment, closePullRequest } from '../../codehost/builtin/builtin-code-host.ts'
import { pullRequestUrl, repositoryOf } from '../../codehost/builtin/builtin-host-deps.ts'
import { mergePullRequest } from '../../codehost/builtin/merge-pull-request.ts'
import { viewPullRequest } from '../../codehost/builtin/view-pull-request.ts'
import type { Session } from '../../access/sign-in.ts'
import { AppError } from '../../contract/app-error.ts'
import { commentCreateSchema, pullRequestMergeSchema } from '../../contract/pull-requests.ts'
import { findPullRequestBySecret, listPullRequests, type PullRequestRecord } from '../../store/pull-requests.ts'
import type { AppContext } from '../app-env.ts'
import { createGate } from '../create-gate.ts'
import type { DocentServer } from '../create-server.ts'
import { toErrorReply } from '../error-response.ts'
import { servePage } from '../page-route.ts'
import { readForm, readSession, requireFormSession } from '../page-session.ts'
import { MarkdownRenderer } from '../pages/markdown-renderer.ts'
import { renderPullRequestList } from '../pages/pull-request-list-page.ts'
import { renderPullRequestPage } from '../pages/pull-request-page.ts'
import { type AuditEvent, auditUser, recordAudit } from '../record-audit.ts'
import { hasRole, roleForbidden } from '../require-role.ts'
import type { ServerParts } from '../server-parts.ts'
import { viewerOf } from './sign-in.ts'

interface PageDeps {
  renderer: Pick<MarkdownRenderer, 'render'>
  /** A page starts half a dozen processes of git. */
  gate: FairGate
}

const pageItems = 50

/** The pages of pull requests and what their forms do. */
export function addPullRequestPages(app: DocentServer, parts: ServerParts): void {
  const deps: PageDeps = {
    renderer: new MarkdownRenderer(),
    gate: createGate({ what: 'look at pull requests', runningMax: 4, waitingMax: 100, waitMsMax: 10_000 }),
  }
  app.get(
    '/pull-requests',
    servePage((c) => sendList(c, parts)),
  )
  app.get(
    '/pull/:secret/:number',
    servePage(async (c) => sendPullRequest(c, parts, deps, await findRecord(c, parts))),
  )
  for (const [action, rule] of Object.entries(actions)) {
    app.post(
      `/pull/:secret/:number/${action}`,
      servePage((c) => takeForm(c, parts, deps, rule)),
    )
  }
}

/** The address itself is the permission to read, so that one digit off is as unknown as any other. */
async function findRecord(c: AppContext, { store }: ServerParts): Promise<PullRequestRecord> {
  const { secret = '', number = '' } = c.req.param() as Record<string, string | undefined>
  const isWritten = /^[\w-]{16,100}$/.test(secret) && /^[1-9]\d{0,8}$/.test(number)
  const record = isWritten ? await findPullRequestBySecret(store.durable, secret, Number(number)) : null
  if (record !== null) return record
  throw new AppError(
    'pull_request_not_found',
    'There is no pull request at this address. Check that it was copied whole.',
  )
}

interface FormAction {
  parts: ServerParts
  record: PullRequestRecord
  session: Session
  form: Record<string, unknown>
  signal: AbortSignal
}

interface FormRule {
  /** What the audit log says of it. */
  audited: AuditEvent['action']
  run(action: FormAction): Promise<unknown>
}

/** By the last part of the address that their forms are sent to. */
const actions: Readonly<Record<string, FormRule>> = {
  merge: { audited: 'pull-request-merged', run: merge },
  close: {
    audited: 'pull-request-closed',
    run: ({ parts, record, session, signal }) => closePullRequest(parts.host, record.id, session.user.name, signal),
  },
  comments: { audited: 'pull-request-commented', run: comment },
}

function merge({ parts, record, session, form, signal }: FormAction): Promise<unknown> {
  const { data } = pullRequestMergeSchema.safeParse(form)
  if (data?.head == null) throw new AppError('invalid_request', 'Load the page again and use its button.')
  return mergePullRequest(parts.host, { id: record.id, expectedHead: data.head, by: session.user.name }, signal)
}

function comment({ parts, record, session, form }: FormAction): Promise<unknown> {
  const parsed = commentCreateSchema.safeParse(form)
  if (!parsed.success) throw new AppError('invalid_request', 'Write a comment of 1 to 60,000 characters.')
  return addComment(parts.host, { id: record.id, body: parsed.data.body, author: session.user.name })
}

/** A refusal is shown on the page itself, where its reader can do something about it. */
async function takeForm(
  c: AppContext,
  parts: ServerParts,
  deps: PageDeps,
  { audited, run }: FormRule,
): Promise<Response> {
  const record = await findRecord(c, parts)
  const form = await readForm(c, parts)
  const session = await requireFormSession(c, parts, form)
  await requireOrganization(parts, record, session)
  if (!hasRole(session.user.role, 'editor')) throw roleForbidden(session.user.role, 'editor')
  try {
    await run({ parts, record, session, form, signal: c.req.raw.signal })
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return sendPullRequest(c, parts, deps, record, error)
  }
  const target = { kind: 'pull-request', id: record.id, name: record.title }
  await recordAudit(c, parts, { action: audited, target }, auditUser(session.user))
  return c.redirect(`/pull/${record.secret}/${record.number}`, 303)
}

async function requireOrganization(parts: ServerParts, record: PullRequestRecord, { user }: Session): Promise<void> {
  const repository = await repositoryOf(parts.host, record)
  if (repository.organizationId === user.organizationId) return
  throw new AppError('session_missing', 'This pull request is of another organization. Sign in as its owner.')
}

async function sendPullRequest(
  c: AppContext,
  parts: ServerParts,
  deps: PageDeps,
  { id, repositoryId }: PullRequestRecord,
  refusal: AppError | null = null,
): Promise<Response> {
  const { signal } = c.req.raw
  const view = await deps.gate.run(repositoryId, () => viewPullRequest(parts.host, id, signal), signal)
  const session = await readSession(c, parts)
  const isOwn = session?.user.organizationId === view.repository.organizationId
  const texts = await Promise.all(
    [view.record.body, ...view.comments.map(({ body }) => body)].map((markdown, index) =>
      renderText(deps, markdown, index),
    ),
  )
  const [description = '', ...commentTexts] = texts
  const page = await renderPullRequestPage({
    ...view,
    description,
    commentTexts,
    viewer: isOwn && session !== null ? viewerOf(session) : null,
    notice: refusal?.message ?? null,
  })
  return c.html(page, refusal === null ? 200 : toErrorReply(refusal, c.get('requestId')).status)
}

/**
 * The ids in it are its own, so that no heading takes the place of a part of the page.
 *
 * @returns Safe HTML; text that would cost too much to render is shown as it is written.
 */
async function renderText({ renderer }: PageDeps, markdown: string, index: number): Promise<string> {
  if (markdown.trim() === '') return ''
  const outcome = await renderer.render({ markdown, base: '', idPrefix: `text-${index}-` })
  return outcome.kind === 'rendered' ? outcome.html : `<pre>${escapeHtml(markdown)}</pre>`
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}

async function sendList(c: AppContext, parts: ServerParts): Promise<Response> {
  const session = await readSession(c, parts)
  if (session === null) return c.redirect('/sign-in', 303)
  const cursor = c.req.query('cursor') ?? null
  const { organizationId } = session.user
  const { items, nextCursor } = await listPullRequests(parts.store.durable, {
    organizationId,
    limit: pageItems,
    cursor,
  })
  const shown = await Promise.all(
    items.map(async (record) => ({
      record,
      repository: (await repositoryOf(parts.host, record)).name,
      url: new URL(pullRequestUrl(parts.host, record)).pathname,
    })),
  )
  const nextUrl = nextCursor === null ? null : `/pull-requests?cursor=${encodeURIComponent(nextCursor)}`
  return c.html(await renderPullRequestList({ items: shown, nextUrl, viewer: viewerOf(session) }), 200)
}
