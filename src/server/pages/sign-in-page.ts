import { html } from 'hono/html'
import { renderFrame } from './page-frame.ts'
import { pullRequestHead, renderHeader, type Viewer } from './pull-request-page.ts'

export interface SignInView {
  /** What the link carried; null without one. */
  token: string | null
  viewer: Viewer | null
}

/**
 * The page that a sign-in link opens. The link is used up by the button and not by opening it, because programs that
 * look at links in messages open them too.
 */
export function renderSignInPage({ token, viewer }: SignInView) {
  return renderFrame({
    language: 'en',
    title: 'Sign in',
    description: '',
    head: pullRequestHead,
    header: renderHeader(viewer),
    navigationLabel: 'Pages',
    navigation: html`<ul>
      <li><a href="/sign-in" aria-current="page">Sign in</a></li>
      <li><a href="/">Documentation</a></li>
    </ul>`,
    main: html`<h1>Sign in</h1>
      ${
        token === null
          ? html`<p class="description">Owners sign in with a link that works once.</p>
              <p>On the machine of the server, run <code>docent owner-link</code> and open what it prints.</p>
              ${viewer === null ? '' : html`<p>You are signed in as ${viewer.name}.</p>`}`
          : html`<p class="description">This link signs you in as the owner, once.</p>
              <form method="post" action="/sign-in">
                <input type="hidden" name="link" value="${token}" />
                <button class="primary">Sign in</button>
              </form>`
      }`,
  })
}
