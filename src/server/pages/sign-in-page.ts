import { html } from 'hono/html'
import type { OpenLink } from '../../access/accept-link.ts'
import { passwordCharsMax, passwordCharsMin } from '../../contract/accounts.ts'
import { renderFrame } from './page-frame.ts'
import { renderHeader, type Viewer } from './pull-request-page.ts'
import { nameCommand } from '../../config/name-command.ts'

export interface SignInView {
  /** What the link carried; null without one. */
  token: string | null
  /** What the link is for; null where it opens nothing. */
  link: OpenLink | null
  viewer: Viewer | null
  /** The provider of OpenID Connect; null without one. */
  providerName: string | null
  /** What came of a form that was sent; null when none was. */
  notice: string | null
}

const head = html`<meta name="robots" content="noindex" />
  <link rel="stylesheet" href="/assets/tokens.css" />
  <link rel="stylesheet" href="/assets/pull-request.css" />`

/**
 * The page that a sign-in link opens. The link is used up by the button and not by opening it, because programs that
 * look at links in messages open them too.
 */
export function renderSignInPage(view: SignInView) {
  const { notice, viewer } = view
  return renderFrame({
    language: 'en',
    title: 'Sign in',
    description: '',
    head,
    header: renderHeader(viewer),
    navigationLabel: 'Pages',
    navigation: html`<ul>
      <li><a href="/sign-in" aria-current="page">Sign in</a></li>
      <li><a href="/dashboard">Dashboard</a></li>
      <li><a href="/">Documentation</a></li>
    </ul>`,
    main: html`${notice === null ? '' : html`<p class="notice" role="alert">${notice}</p>`}
      <h1>Sign in</h1>
      ${renderForms(view)}`,
  })
}

function renderForms(view: SignInView) {
  const { token, link } = view
  if (token === null) return renderPasswordForm(view)
  if (link !== null) return renderLinkForms(link, token)
  return html`<p class="description">This link was used or revoked, or it has expired. Ask for another.</p>
    ${renderPasswordForm(view)}`
}

function renderPasswordForm({ viewer, providerName }: SignInView) {
  return html`${viewer === null ? '' : html`<p>You are signed in as ${viewer.name}.</p>`}
    <form method="post" action="/sign-in">
      <p>
        <label>E-mail address<br /><input name="email" type="email" autocomplete="username" required /></label>
      </p>
      <p>
        <label>Password<br /><input name="password" type="password" autocomplete="current-password" required /></label>
      </p>
      <button class="primary">Sign in</button>
    </form>
    ${providerName === null ? '' : html`<p><a href="/auth/oidc/start?returnTo=/pull-requests">Sign in with ${providerName}</a></p>`}
    <p class="note">
      An owner without a password signs in with a link that works once: run <code>${nameCommand('owner-link')}</code> on
      the server and open the link that it prints.
    </p>`
}

function renderLinkForms(link: OpenLink, token: string) {
  const hidden = html`<input type="hidden" name="link" value="${token}" />`
  if (link.kind === 'invitation') {
    const { role, email } = link.invitation
    return html`<p class="description">You are invited as ${role}. Choose how you sign in from now on.</p>
      <form method="post" action="/sign-in">
        ${hidden} ${renderNameField('')} ${email === null ? renderEmailField() : html`<p>${email}</p>`}
        ${renderNewPasswordField()}<button class="primary">Join</button>
      </form>`
  }
  const { user, hasPassword } = link
  return html`<p class="description">This link signs you in, once.</p>
    <form method="post" action="/sign-in">${hidden}<button class="primary">Sign in</button></form>
    <h2>${hasPassword ? 'Set another password' : 'Set a password'}</h2>
    <form method="post" action="/sign-in">
      ${hidden} ${renderNameField(user.name)} ${user.email === null ? renderEmailField() : html`<p>${user.email}</p>`}
      ${renderNewPasswordField()}<button>Set the password and sign in</button>
    </form>`
}

function renderNameField(name: string) {
  return html`<p>
    <label>Name<br /><input name="name" value="${name}" autocomplete="name" maxlength="100" required /></label>
  </p>`
}

function renderEmailField() {
  return html`<p>
    <label>E-mail address<br /><input name="email" type="email" autocomplete="username" required /></label>
  </p>`
}

function renderNewPasswordField() {
  return html`<p>
    <label
      >Password of ${passwordCharsMin} characters or more<br /><input
        name="password"
        type="password"
        autocomplete="new-password"
        minlength="${passwordCharsMin}"
        maxlength="${passwordCharsMax}"
        required
    /></label>
  </p>`
}
