import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { gzipSync } from 'node:zlib'
import { OpenAPIHono } from '@hono/zod-openapi'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { AppEnv } from '../app-env.ts'
import { addWidget } from './widget.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'docent-widget-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

function get(path: string, headers: Record<string, string> = {}) {
  const app = new OpenAPIHono<AppEnv>()
  addWidget(app, pathToFileURL(`${folder}/`))
  return app.request(path, { headers })
}

it.each([
  ['/widget.js', 'widget.js'],
  ['/widget/panel.js', 'panel.js'],
  ['/widget/german.js', 'german.js'],
  ['/widget/highlight-code.js', 'highlight-code.js'],
])('serves %s to pages of every origin, compressed, and not again to those that have it', async (path, name) => {
  await writeFile(join(folder, name), 'plain')
  await writeFile(join(folder, `${name}.gz`), gzipSync('plain'))

  const plain = await get(path)
  const gzip = await get(path, { 'accept-encoding': 'gzip' })
  const again = await get(path, { 'accept-encoding': 'gzip', 'if-none-match': gzip.headers.get('etag') ?? '' })

  expect(await plain.text()).toBe('plain')
  expect(Object.fromEntries(gzip.headers)).toMatchObject({
    'content-type': 'text/javascript; charset=utf-8',
    'content-encoding': 'gzip',
    'cache-control': 'public, max-age=300',
    'cross-origin-resource-policy': 'cross-origin',
    'access-control-allow-origin': '*',
    'x-content-type-options': 'nosniff',
    vary: 'Accept-Encoding',
  })
  expect(gzip.headers.get('etag')).not.toBe(plain.headers.get('etag'))
  expect([plain.status, gzip.status, again.status]).toEqual([200, 200, 304])
})

it('asks to come back while it is being built, and keeps no cache from asking again', async () => {
  const response = await get('/widget.js')

  expect(response.status).toBe(503)
  expect(response.headers.get('retry-after')).toBe('2')
  expect(response.headers.get('cache-control')).toBe('no-store')
})
