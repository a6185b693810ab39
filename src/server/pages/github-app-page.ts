import { html } from 'hono/html'
import { renderFrame } from './page-frame.ts'

export interface GithubAppView {
  /** The GitHub that makes the App. */
  origin: string
  /** Where the description is posted to. */
  formUrl: string
  /** The description of the App, as JSON. */
  manifest: string
  /** Where to give up to. */
  backUrl: string
}

/** The page that has GitHub make an App. Its form goes to GitHub, which asks and then sends the browser back. */
export function renderGithubAppPage({ origin, formUrl, manifest, backUrl }: GithubAppView) {
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
