import { html } from 'hono/html'
import { renderFrame } from './page-frame.ts'

/** Placeholder for a checkout's dashboard until it is built; then replaces itself. */
export function renderBuildingPage() {
  return renderFrame({
    language: 'en',
    title: 'The dashboard is being built',
    description: '',
    head: html`<meta http-equiv="refresh" content="2" />`,
    header: html`<a class="name" href="/">Docent</a>`,
    navigationLabel: 'Pages',
    navigation: html`<ul>
      <li><a href="/">Documentation</a></li>
    </ul>`,
    main: html`<h1>The dashboard is being built</h1>
      <p class="lead">This takes a few seconds after an update. The page then reloads automatically.</p>
      <p>If it does not, run <code>npm run build</code> in the checkout to see what is missing.</p>`,
  })
}
