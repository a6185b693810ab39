import { html } from 'hono/html'
import { renderFrame } from './page-frame.ts'

export interface GithubAppView {
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
