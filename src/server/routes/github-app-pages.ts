import { hourMs } from '../../base/durations.ts'
import { createHmac } from 'node:crypto'
import { z } from 'zod'
import type { Session } from '../../access/sign-in/sign-in.ts'
import { AppError } from '../../contract/app-error.ts'
import { readErrorDetails } from '../../contract/error-details.ts'
import { codeHostAppOperations } from '../../contract/operations/code-host-apps.ts'
import { findCodeHostApp } from '../../store/hosting/code-host-apps.ts'
import { isSameSecret } from '../../base/same-secret.ts'
import type { AppContext, DocentServer } from '../app-env.ts'
import { servePage } from '../resources/page-route.ts'
import { readSession, sessionMissing } from '../requests/page-session.ts'
import { invalidRequest } from '../bodies/read-json.ts'
import { auditUser, recordAudit } from '../requests/record-audit.ts'
import { hasRole, roleForbidden } from '../requests/require-role.ts'
import type { ServerDeps } from '../server-deps.ts'
import { appExists, appTarget, storeCodeHostApp } from '../resources/store-code-host-app.ts'
import { html } from 'hono/html'
import { renderFrame } from '../pages/page-frame.ts'

/** GitHub keeps the code of a new App for an hour. */
const lifetimeMs = hourMs

/** Longest time to fetch the new App from GitHub, including retries. */
const takeMsMax = 60_000

const path = '/code-host-apps/github'

/** Inserted into the page's CSP, so it must be a plain origin that cannot add directives. */
const originSchema = z
  .url({ protocol: /^https?$/ })
  .max(500)
  .transform((address) => new URL(address).origin)
  .refine((origin) => /^https?:\/\/(?:[\w.-]+|\[[\da-f:.]+\])(?::\d+)?$/.test(origin), {
    error: 'is not the address of a GitHub server, such as https://github.com',
  })

const newSchema = z.object({
  origin: originSchema,
  owner: z
    .string()
    .trim()
    .regex(/^[\w-]{1,100}$/, { error: 'is not the name of a GitHub organization as it appears in URLs' })
    .optional(),
  name: z.string().trim().min(1).max(100).default('Docent'),
  verified: z.literal('true').optional(),
})

const madeSchema = z.object({ code: z.string().min(1).max(500), state: z.string().max(4_000) })

/** What must be known again when GitHub redirects back. */
const stateSchema = z.object({ origin: originSchema, hasVerifiedCommits: z.boolean(), expiresAt: z.number() })
type State = z.output<typeof stateSchema>

/** Two pages for owners, before and after GitHub creates an App. They need no script. */
export function addGithubAppPages(app: DocentServer, deps: ServerDeps): void {
  app.get(
    `${path}/new`,
    servePage((c) => sendForm(c, deps)),
  )
  app.get(
    `${path}/made`,
    servePage((c) => adoptApp(c, deps)),
  )
}

async function sendForm(c: AppContext, deps: ServerDeps): Promise<Response> {
  const session = await requireOwner(c, deps)
  const { origin, owner = null, name, verified } = readQuery(c, newSchema)
  const { organizationId } = session.user
  const known = await findCodeHostApp(deps.store.durable, { organizationId, kind: 'github', origin })
  if (known !== null) throw appExists(origin)
  // Loaded on demand, because it is rarely needed.
  const { createManifest, manifestFormUrl } = await import('../../codehost/github/github-app-manifest.ts')
  const expiresAt = deps.clock.now() + lifetimeMs
  const state = sealState(session, { origin, hasVerifiedCommits: verified !== undefined, expiresAt })
  const { baseUrl } = deps
  c.header(
    'Content-Security-Policy',
    `default-src 'none'; style-src 'self'; font-src 'self'; img-src data:; base-uri 'none'; form-action 'self' ${origin}; frame-ancestors 'none'`,
  )
  const page = await renderGithubAppPage({
    origin,
    formUrl: manifestFormUrl({ origin, organization: owner, state }),
    manifest: JSON.stringify(createManifest({ baseUrl, name, redirectUrl: `${baseUrl}${path}/made` })),
    backUrl: settingsPath(organizationId),
  })
  return c.html(page, 200)
}

/** Handles GitHub's redirect: fetches the App and its secrets, and stores them. */
async function adoptApp(c: AppContext, deps: ServerDeps): Promise<Response> {
  const session = await requireOwner(c, deps)
  const { code, state } = readQuery(c, madeSchema)
  const { origin, hasVerifiedCommits } = openState(session, state, deps.clock.now())
  const signal = AbortSignal.any([c.req.raw.signal, AbortSignal.timeout(takeMsMax)])
  const { appId, slug, privateKey, webhookSecret } = await deps.forges.adoptApp({ origin, code }, signal)
  const { organizationId } = session.user
  const given = { organizationId, kind: 'github' as const, origin, appId, slug, hasVerifiedCommits }
  const made = await storeCodeHostApp(deps, { ...given, privateKey, webhookSecret })
  const { audit: action } = codeHostAppOperations.createCodeHostApp
  await recordAudit(c, deps, { action, target: appTarget(made) }, auditUser(session.user))
  return c.redirect(`${settingsPath(organizationId)}&made=${encodeURIComponent(slug)}`, 303)
}

function settingsPath(organizationId: string): string {
  return `/dashboard/${encodeURIComponent(organizationId)}/settings?view=code-hosts`
}

async function requireOwner(c: AppContext, deps: ServerDeps): Promise<Session> {
  const session = await readSession(c, deps)
  if (session === null) throw sessionMissing()
  if (!hasRole(session.user.role, 'owner')) throw roleForbidden(session.user.role, 'owner')
  return session
}

function readQuery<Schema extends z.ZodType>(c: AppContext, schema: Schema): z.output<Schema> {
  const parsed = schema.safeParse(c.req.query())
  if (!parsed.success) throw invalidRequest(readErrorDetails(parsed.error))
  return parsed.data
}

/**
 * Signed with a session secret, so that a code is accepted only if this session requested it; otherwise a crafted link
 * could make an owner store somebody else's App (CSRF).
 */
function sealState(session: Session, state: State): string {
  const payload = Buffer.from(JSON.stringify(state)).toString('base64url')
  return `${payload}.${signState(session, payload).toString('base64url')}`
}

/** @throws {AppError} `form_expired` if the state is of another session or too old. */
function openState(session: Session, sealed: string, now: number): State {
  const [payload = '', signature = ''] = sealed.split('.')
  if (!isSameSecret(Buffer.from(signature, 'base64url'), signState(session, payload))) throw stateRefused()
  const state = stateSchema.parse(JSON.parse(Buffer.from(payload, 'base64url').toString()))
  if (state.expiresAt < now) throw stateRefused()
  return state
}

function signState({ formToken }: Session, payload: string): Buffer {
  return createHmac('sha256', formToken).update(`docent:github-app:${payload}`).digest()
}

function stateRefused(): AppError {
  return new AppError(
    'form_expired',
    'This App was not requested in this session, or more than an hour ago. Start again in the dashboard settings.',
  )
}

interface GithubAppView {
  /** Origin of the GitHub server that creates the App. */
  origin: string
  /** URL that the manifest is posted to. */
  formUrl: string
  /** The App manifest, as JSON. */
  manifest: string
  /** Where cancelling leads. */
  backUrl: string
}

/**
 * The page that starts creating an App. Its form posts to GitHub, which asks for confirmation and then redirects back.
 */
function renderGithubAppPage({ origin, formUrl, manifest, backUrl }: GithubAppView) {
  return renderFrame({
    language: 'en',
    title: 'Make a GitHub App',
    description: '',
    header: html`<a class="name" href="/dashboard">Docent</a>`,
    navigationLabel: 'Pages',
    navigation: html`<ul>
      <li><a href="${backUrl}">Settings</a></li>
    </ul>`,
    main: html`<h1>Make a GitHub App</h1>
      <p>
        The next page is on <strong>${new URL(origin).host}</strong>. It asks for the name of the App and shows what it
        may do. Then it sends you back here.
      </p>
      <form method="post" action="${formUrl}">
        <input type="hidden" name="manifest" value="${manifest}" />
        <p><button>Go to ${new URL(origin).host}</button></p>
      </form>`,
  })
}
