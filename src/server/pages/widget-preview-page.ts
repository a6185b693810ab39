import { html } from 'hono/html'

/** The widget may do here what it does on pages of others, and only the dashboard may show the page in a frame. */
export const previewHeaders: Readonly<Record<string, string>> = {
  'Content-Security-Policy':
    "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'self'",
  'X-Content-Type-Options': 'nosniff',
  'X-Robots-Tag': 'noindex',
  'Cache-Control': 'no-cache',
}

const line = html`<span class="line"></span>`

/** A page of documentation without words, which the dashboard fills with titles of a site and gives its widget. */
export function renderWidgetPreview() {
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
