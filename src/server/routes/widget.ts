import { createHash } from 'node:crypto'
import type { AppContext, DocentServer } from '../app-env.ts'
import { previewHeaders, renderWidgetPreview } from '../pages/widget-preview-page.ts'
import { retryAfterSeconds } from '../replies/error-response.ts'
import { readEncoded } from '../replies/read-encoded.ts'

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
