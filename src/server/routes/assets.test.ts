import { readdir, readFile } from 'node:fs/promises'
import { OpenAPIHono } from '@hono/zod-openapi'
import { expect, it } from 'vitest'
import { assetPath } from '../pages/asset-path.ts'
import type { AppEnv } from '../app-env.ts'
import { sendError } from '../requests/request-context.ts'
import { addAssets } from './assets.ts'

const script = 'text/javascript; charset=utf-8'
const style = 'text/css; charset=utf-8'

/** Everything that strangers may load. */
const served = {
  'compare.css': style,
  'docent-verify.mjs': script,
  'geist-mono.woff2': 'font/woff2',
  'geist.woff2': 'font/woff2',
  'preview.css': style,
  'site.css': style,
  'site.js': script,
}

async function get(name: string) {
  const app = new OpenAPIHono<AppEnv>()
  addAssets(app)
  app.onError((error, c) => sendError(error, c))
  return app.request(`/assets/${name}`)
}

const listFolder = (folder: string) => readdir(new URL(`../../../web/${folder}/`, import.meta.url))

it('serves the files on the list, each with its type', async () => {
  const types: Record<string, string | null> = {}
  for (const name of Object.keys(served)) {
    const { status, headers } = await get(name)
    types[name] = status === 200 ? headers.get('content-type') : `${status}`
  }

  expect(types).toEqual(served)
})

it('lets browsers keep a file for ever under the URL that names its content, and no other', async () => {
  const cacheControl = async (path: string) => (await get(path.replace('/assets/', ''))).headers.get('cache-control')

  expect(await cacheControl(assetPath('site.css'))).toBe('public, max-age=31536000, immutable')
  expect(await cacheControl('site.css?v=other')).toBe('public, max-age=300')
  expect(await cacheControl('site.css')).toBe('public, max-age=300')
})

it('sends the style of pages after the colors that the dashboard has too', async () => {
  const read = (path: string) => readFile(new URL(`../../../web/${path}`, import.meta.url), 'utf8')

  expect(await (await get('site.css')).text()).toBe((await read('ui/colors.css')) + (await read('site/site.css')))
})

it('serves no other file in the same folder', async () => {
  const others = [...(await listFolder('site')), ...(await listFolder('ui'))].filter((name) => !(name in served))

  const statuses = await Promise.all(others.map(async (name) => (await get(name)).status))

  expect(others).toContain('base.css')
  expect(new Set(statuses)).toEqual(new Set([404]))
})

it.each([
  '..%2fui%2fbase.css',
  '..%2f..%2fpackage.json',
  '%2e%2e%2f%2e%2e%2fpackage.json',
  '..%5c..%5cpackage.json',
  'site.css%00',
  'Site.css',
  'site.css%2f',
  'constructor',
  '__proto__',
  'toString',
  'hasOwnProperty',
])('answers 404 for %s', async (name) => {
  const response = await get(name)

  expect(response.status).toBe(404)
  expect(await response.json()).toMatchObject({ code: 'not_found' })
})
