import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Docent, startDocent } from '../support/start-docent.ts'

interface Described {
  paths: Record<string, Record<string, { summary: string; responses: Record<string, unknown> }>>
}

let docent: Docent
let html: string
let described: Described
beforeAll(async () => {
  docent = await startDocent()
  html = await read('/reference')
  described = (await (await docent.get('/openapi.json')).json()) as Described // Ours, by the types above.
})
afterAll(() => docent.remove())

const read = async (path: string) => (await docent.get(path)).text()
const textOf = (page: string) => page.replace(/<[^>]+>/g, '').replace(/\s+/g, ' ')

it('has a page for every operation of the OpenAPI document, with path, replies and a call', async () => {
  const operations = Object.entries(described.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, ...operation })),
  )
  const rows = Array.from(html.matchAll(/<td><a href="([^"]+)">([^<]+)<\/a><\/td>\s*<td><code>([^<]+)<\/code>/g))

  expect(operations.length).toBeGreaterThan(100)
  expect(new Set(rows.map(([, href]) => href)).size).toBe(operations.length)
  for (const { path, method, summary, responses } of operations) {
    const name = `${method.toUpperCase()} ${path}`
    const row = rows.find(([, , , shown]) => shown === name)
    expect(row?.[2]).toBe(summary)
    const page = textOf(await read(row?.[1] ?? ''))
    expect(page).toContain(name)
    expect(page).toContain(`'${docent.url}${path}`)
    for (const status of Object.keys(responses)) expect(page).toContain(status)
  }
})

it('shows parameters and fields with type, bounds and whether they are required', async () => {
  const text = textOf(await read('/reference/search/search-a-site'))

  expect(text).toContain('domain (string, required)')
  expect(text).toContain('query (string, required, min length 1, max length 2000)')
  expect(text).toContain('pageSize (integer or null, at least 1, at most 50): Maximum number of results. Default: 10.')
  expect(text).toContain('version (string or null')
  expect(text).toContain('An assistant key')
  expect(text).toContain('score (number, required): 0 to 1')
  expect((await docent.get('/reference/search/nothing')).status).toBe(404)
})

it.each(['/reference', '/reference/keys/create-a-key'])('can be read by keyboard and by ear: %s', async (path) => {
  const html = await read(path)
  const ids = Array.from(html.matchAll(/\sid="([^"]+)"/g), ([, id]) => id)
  const targets = Array.from(html.matchAll(/href="#([^"]+)"/g), ([, id]) => id)
  const levels = Array.from(html.slice(html.indexOf('<main')).matchAll(/<h([1-6])/g), ([, level]) => Number(level))

  expect(new Set(ids).size).toBe(ids.length)
  expect(targets.filter((target) => !ids.includes(target))).toEqual([])
  for (const landmark of [
    '<header class="head">',
    '<nav class="tree" id="docent-pages" popover aria-label="Operations">',
    '<main id="docent-text"',
    'class="skip" href="#docent-text"',
  ]) {
    expect(html.split(landmark)).toHaveLength(2)
  }
  expect(levels.filter((level) => level === 1)).toHaveLength(1)
  expect(levels.every((level, place) => place === 0 || level <= (levels[place - 1] ?? 0) + 1)).toBe(true)
})

it('runs our own script only, and none of what it shows', async () => {
  const { headers } = await docent.get('/reference')

  const scripts = Array.from(html.matchAll(/<script[^>]*>[^<]*/g), ([script]) => script)
  expect(scripts).toEqual([
    expect.stringMatching(/^<script>try\{.*docent-theme/),
    expect.stringMatching(/^<script type="module" src="\/assets\/site\.js\?v=[\w-]{16}">$/),
  ])
  expect(headers.get('content-security-policy')).toMatch(
    /^default-src 'none'; .*script-src 'self' 'sha256-[\w+/=]{44}';/,
  )
})

it('serves the files that pages load, each with its type, and no other', async () => {
  const types = { 'site.css': 'text/css', 'site.js': 'text/javascript' }
  for (const [name, type] of Object.entries(types)) {
    const response = await docent.get(`/assets/${name}`)
    expect(response.headers.get('content-type')).toBe(`${type}; charset=utf-8`)
    expect(response.headers.get('x-content-type-options')).toBe('nosniff')
    expect((await response.text()).length).toBeGreaterThan(500)
  }
  for (const name of ['constructor', '..%2f..%2fpackage.json', 'other.js']) {
    expect((await docent.get(`/assets/${name}`)).status).toBe(404)
  }
})
