import { createHash } from 'node:crypto'
import { AppError } from '../../contract/app-error.ts'
import { retryAfterSeconds } from '../replies/error-response.ts'
import { readEncoded, readFileIfThere } from '../replies/read-encoded.ts'
import type { AppContext, DocentServer } from '../app-env.ts'
import type { ServerDeps } from '../server-deps.ts'
import { html } from 'hono/html'
import { renderFrame } from '../pages/page-frame.ts'

/** Output of `scripts/build-web.ts` for `web/dashboard`. */
const builtFolder = new URL('../../../web/dashboard/dist/', import.meta.url)

/** Nothing inline or external: content from names, pages or answers can be displayed but never run. */
const dashboardPolicy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; font-src 'self'; frame-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"

const pageHeaders: Readonly<Record<string, string>> = {
  'Content-Security-Policy': dashboardPolicy,
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'X-Robots-Tag': 'noindex',
  // The page is small and references its assets by digest; those are cached forever.
  'Cache-Control': 'no-cache',
}

/** Content types by extension. Other files are not served. */
const assetTypes: Readonly<Record<string, string>> = {
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  svg: 'image/svg+xml',
  woff2: 'font/woff2',
}

/** File names as the build generates them, with a content digest: no path, no leading dot. */
const assetName = /^[\w-]+\.(css|js|svg|woff2)$/

/** @param built Must end with a slash. */
export function addDashboard(app: DocentServer, { baseUrl }: Pick<ServerDeps, 'baseUrl'>, built = builtFolder): void {
  app.get('/dashboard/assets/:name', (c) => sendAsset(c, built))
  for (const path of ['/dashboard', '/dashboard/*']) app.get(path, (c) => sendDashboardPage(c, baseUrl, {}, built))
}

async function sendAsset(c: AppContext, built: URL): Promise<Response> {
  const name = c.req.param('name') ?? ''
  const type = assetTypes[assetName.exec(name)?.[1] ?? '']
  if (type === undefined) throw missingAsset(name)
  // Weak, because one name has several encodings.
  const etag = `W/"${name}"`
  const headers = {
    'Content-Type': type,
    'Cache-Control': 'public, max-age=31536000, immutable',
    'X-Content-Type-Options': 'nosniff',
    Vary: 'Accept-Encoding',
    ETag: etag,
  }
  if (c.req.header('if-none-match') === etag) return c.body(null, 304, headers)
  const found = await readEncoded(new URL(`assets/${name}`, built), c.req.header('accept-encoding'))
  if (found === null) throw missingAsset(name)
  const { bytes, encoding } = found
  return c.body(bytes, 200, { ...headers, ...(encoding === null ? {} : { 'Content-Encoding': encoding }) })
}

/** What a page says without its script, as safe HTML. */
export interface DashboardPageTexts {
  title?: string
  noscript?: string
}

/** Sends the dashboard's page, which is the same at every URL: its script decides what to show. */
export async function sendDashboardPage(
  c: AppContext,
  baseUrl: string,
  { title, noscript }: DashboardPageTexts = {},
  built: URL = builtFolder,
): Promise<Response> {
  for (const [name, value] of Object.entries(pageHeaders)) c.header(name, value)
  const page = await readFileIfThere(new URL('index.html', built))
  if (page === null) {
    c.header('Retry-After', String(retryAfterSeconds.starting))
    return c.html(await renderBuildingPage(), 503)
  }
  let text = page.toString('utf8').replace('name="docent-base-url" content=""', () => baseUrlAttributes(baseUrl))
  if (title !== undefined) text = text.replace(/<title>[^<]*/, () => `<title>${title} · Docent`)
  if (noscript !== undefined) text = text.replace(/<noscript>[^<]*/, () => `<noscript>${noscript}`)
  const etag = `"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"`
  c.header('ETag', etag)
  return c.req.header('if-none-match') === etag ? c.body(null, 304) : c.html(text, 200)
}

/** Tells the page the public URL of the service: its own URL may be a tunnel's. */
function baseUrlAttributes(baseUrl: string): string {
  return `name="docent-base-url" content="${baseUrl.replaceAll('&', '&amp;').replaceAll('"', '&quot;')}"`
}

function missingAsset(name: string): AppError {
  return new AppError('not_found', `There is no file ${name.slice(0, 100)}. Load the page again.`)
}

/** Placeholder for a checkout's dashboard until it is built; then replaces itself. */
function renderBuildingPage() {
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
