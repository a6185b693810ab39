import { mkdtemp, mkdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { gzipSync, gunzipSync } from 'node:zlib'
import { OpenAPIHono } from '@hono/zod-openapi'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { AppEnv } from '../app-env.ts'
import { sendError } from '../requests/request-context.ts'
import { addDashboard } from './dashboard.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'docent-dashboard-'))
  await mkdir(join(folder, 'assets'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

function get(path: string, headers: Record<string, string> = {}, baseUrl = 'https://docs.example.com') {
  const app = new OpenAPIHono<AppEnv>()
  addDashboard(app, { baseUrl }, pathToFileURL(`${folder}/`))
  app.onError((error, c) => sendError(error, c))
  return app.request(path, { headers })
}

const writePage = (text: string) => writeFile(join(folder, 'index.html'), text)
const page = '<meta name="docent-base-url" content="" /><div id="root"></div>'

describe('the page', () => {
  it.each(['/dashboard', '/dashboard/', '/dashboard/default/keys', '/dashboard/default/docs/playground'])(
    'is the same at %s, with the strict policy',
    async (path) => {
      await writePage(page)

      const response = await get(path)

      expect(response.status).toBe(200)
      expect(await response.text()).toContain('<div id="root">')
      expect(Object.fromEntries(response.headers)).toMatchObject({
        'content-security-policy':
          "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; font-src 'self'; frame-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
        'cross-origin-opener-policy': 'same-origin',
        'cache-control': 'no-cache',
      })
    },
  )

  it('contains the public URL, escaped within its attribute', async () => {
    await writePage(page)

    const response = await get('/dashboard', {}, 'https://a.example/"><script>$&')

    expect(await response.text()).toContain('content="https://a.example/&quot;><script>$&amp;" />')
  })

  it('is not sent again to clients that have it', async () => {
    await writePage(page)
    const etag = (await get('/dashboard')).headers.get('etag') ?? ''

    const response = await get('/dashboard', { 'if-none-match': etag })

    expect(etag).not.toBe('')
    expect(response.status).toBe(304)
  })

  it('reloads itself until it is built', async () => {
    const response = await get('/dashboard/default')

    expect(response.status).toBe(503)
    expect(response.headers.get('retry-after')).toBe('2')
    expect(await response.text()).toContain('<meta http-equiv="refresh" content="2" />')
  })
})

describe('its assets', () => {
  const name = 'index-a1b2.js'
  beforeEach(async () => {
    await writeFile(join(folder, 'assets', name), 'plain')
    await writeFile(join(folder, 'assets', `${name}.br`), 'brotli')
    await writeFile(join(folder, 'assets', `${name}.gz`), gzipSync('plain'))
    await writeFile(join(folder, 'secret.js'), 'secret')
  })
  const read = async (accepted?: string) => {
    const response = await get(
      `/dashboard/assets/${name}`,
      accepted === undefined ? {} : { 'accept-encoding': accepted },
    )
    const bytes = Buffer.from(await response.arrayBuffer())
    return { encoding: response.headers.get('content-encoding'), bytes, headers: response.headers }
  }

  it('are sent in the best accepted encoding', async () => {
    expect(await read('gzip, deflate, br')).toMatchObject({ encoding: 'br', bytes: Buffer.from('brotli') })
    const gzip = await read('gzip, br;q=0')
    expect(gzip.encoding).toBe('gzip')
    expect(gunzipSync(gzip.bytes).toString()).toBe('plain')
    expect(await read()).toMatchObject({ encoding: null, bytes: Buffer.from('plain') })
  })

  it('are cached forever, per encoding', async () => {
    const { headers } = await read('br')

    expect(headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    expect(headers.get('vary')).toBe('Accept-Encoding')
    expect(headers.get('content-type')).toBe('text/javascript; charset=utf-8')
    const again = await get(`/dashboard/assets/${name}`, { 'if-none-match': headers.get('etag') ?? '' })
    expect(again.status).toBe(304)
  })

  it.each(['gone-1.js', '..%2Fsecret.js', '%2e%2e%2fsecret.js', 'index-a1b2.js.br', 'index-a1b2.map', '.build'])(
    'do not include %s',
    async (path) => {
      const response = await get(`/dashboard/assets/${path}`)

      expect(response.status).toBe(404)
      expect(await response.json()).toMatchObject({ code: 'not_found' })
    },
  )
})
