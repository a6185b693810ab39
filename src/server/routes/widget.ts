import { createHash } from 'node:crypto'
import type { AppContext, DocentServer } from '../app-env.ts'
import { retryAfterSeconds } from '../replies/error-response.ts'
import { readEncoded } from '../replies/read-encoded.ts'
import { html } from 'hono/html'

/** Output of `scripts/build-web.ts` for `web/widget`. */
const builtFolder = new URL('../../../web/widget/dist/', import.meta.url)

/** Pages of any origin load these, most as modules, which need CORS. They contain nothing of a site. */
const headers = {
  'Content-Type': 'text/javascript; charset=utf-8',
  'Cache-Control': 'public, max-age=300',
  'X-Content-Type-Options': 'nosniff',
  'Cross-Origin-Resource-Policy': 'cross-origin',
  'Access-Control-Allow-Origin': '*',
  Vary: 'Accept-Encoding',
} as const

/** @param built Must end with a slash. */
export function addWidget(app: DocentServer, built = builtFolder): void {
  app.get('/widget.js', (c) => sendScript(c, new URL('widget.js', built)))
  app.get('/widget/:name{[a-z-]+\\.js}', (c) => sendScript(c, new URL(c.req.param('name'), built)))
  app.get('/widget/preview', async (c) => c.html(await renderWidgetPreview(), 200, previewHeaders))
}

async function sendScript(c: AppContext, file: URL): Promise<Response> {
  const found = await readEncoded(file, c.req.header('accept-encoding'))
  if (found === null) return sendUnbuilt(c)
  const { bytes, encoding } = found
  // Hashes the bytes as sent, because each encoding needs its own.
  const etag = `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`
  const all = { ...headers, ETag: etag }
  if (c.req.header('if-none-match') === etag) return c.body(null, 304, all)
  return c.body(bytes, 200, { ...all, ...(encoding === null ? {} : { 'Content-Encoding': encoding }) })
}

/** For the seconds after the first start from a checkout. */
function sendUnbuilt(c: AppContext): Response {
  const text = '// The widget is being built. Load the page again in a moment.'
  const wait = { 'Retry-After': String(retryAfterSeconds.starting) }
  return c.body(text, 503, { ...headers, 'Cache-Control': 'no-store', ...wait })
}

/** The widget may do here what it does on pages of others, and only the dashboard may show the page in a frame. */
const previewHeaders: Readonly<Record<string, string>> = {
  'Content-Security-Policy':
    "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'self'",
  'X-Content-Type-Options': 'nosniff',
  'X-Robots-Tag': 'noindex',
  'Cache-Control': 'no-cache',
}

const line = html`<span class="line"></span>`

/** A page of documentation without words, which the dashboard fills with titles of a site and gives its widget. */
function renderWidgetPreview() {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width" />
        <title>Preview</title>
        <link rel="stylesheet" href="/assets/preview.css" />
      </head>
      <body>
        <header><strong data-preview="name">Documentation</strong></header>
        <div class="columns">
          <ul data-preview="pages" aria-label="Pages">
            ${Array.from({ length: 6 }, () => html`<li>${line}</li>`)}
          </ul>
          <main>
            <h1 data-preview="title">Getting started</h1>
            <p>${line}${line}${line}</p>
            <p>${line}${line}</p>
            <pre><code>npm install
npm start</code></pre>
            <p>${line}${line}${line}</p>
          </main>
        </div>
      </body>
    </html>`
}
