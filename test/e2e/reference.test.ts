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
  html = await (await docent.get('/reference')).text()
  described = (await (await docent.get('/openapi.json')).json()) as Described // Ours, by the types above.
})
afterAll(() => docent.remove())

const articles = () => html.split('<article ').slice(1)

it('shows every operation of the OpenAPI document, with path, replies and a call', () => {
  const operations = Object.entries(described.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, ...operation })),
  )

  expect(operations.length).toBeGreaterThan(15)
  expect(articles()).toHaveLength(operations.length)
  for (const { path, method, summary, responses } of operations) {
    const id = `${method} ${path}`
      .replace(/[^a-z0-9]+/gi, '-')
      .replace(/-$/, '')
      .toLowerCase()
    const article = articles().find((text) => text.includes(`<h3 id="${id}">`)) ?? ''
    expect(article).toContain(summary)
    expect(article.replaceAll('<wbr />', '')).toContain(`<code>${path}</code>`)
    expect(article).toContain(`&#39;${docent.url}${path}&#39;`)
    expect(article).toContain('<h4>Replies</h4>')
    for (const status of Object.keys(responses)) expect(article).toContain(`<code>${status}</code>`)
  }
})

it('shows parameters and fields with type, bounds and whether they are required', () => {
  const article = articles().find((text) => text.includes('id="post-discovery-v1-search-domain"')) ?? ''

  const text = article.replace(/<[^>]+>/g, ' ').replace(/\s+/g, ' ')
  expect(text).toContain('domain string, in the path required')
  expect(text).toContain('query string, 1 to 2,000 characters required')
  expect(text).toContain('pageSize integer or null, 1 to 50 Most results; 10 without it.')
  expect(text).toContain('filter.version string or null')
  expect(text).toContain('Needs an assistant key.')
  expect(text).toContain('[].metadata.score number required 0 to 1')
})

it('can be read by keyboard and by ear: one title, landmarks, headings in order, every link leads somewhere', () => {
  const ids = Array.from(html.matchAll(/\sid="([^"]+)"/g), ([, id]) => id)
  const targets = Array.from(html.matchAll(/href="#([^"]+)"/g), ([, id]) => id)
  const levels = Array.from(html.slice(html.indexOf('<main')).matchAll(/<h([1-6])/g), ([, level]) => Number(level))

  expect(new Set(ids).size).toBe(ids.length)
  expect(targets.filter((target) => !ids.includes(target))).toEqual([])
  for (const landmark of [
    '<header>',
    '<nav aria-label="Operations">',
    '<main id="text"',
    'class="skip" href="#text"',
  ]) {
    expect(html.split(landmark)).toHaveLength(2)
  }
  expect(levels.filter((level) => level === 1)).toHaveLength(1)
  expect(levels.every((level, place) => place === 0 || level <= (levels[place - 1] ?? 0) + 1)).toBe(true)
})

it('needs no script, and lets none run', async () => {
  const { headers } = await docent.get('/reference')

  expect(html).not.toContain('<script')
  expect(headers.get('content-security-policy')).toContain("default-src 'none'")
})

it('serves the files that pages load, each with its type, and no other', async () => {
  const types = { 'site.css': 'text/css', 'ask.js': 'text/javascript', 'answer-stream.js': 'text/javascript' }
  for (const [name, type] of Object.entries({ ...types, 'answer-text.js': 'text/javascript' })) {
    const response = await docent.get(`/assets/${name}`)
    expect(response.headers.get('content-type')).toBe(`${type}; charset=utf-8`)
    expect(response.headers.get('x-content-type-options')).toBe('nosniff')
    expect((await response.text()).length).toBeGreaterThan(500)
  }
  for (const name of ['constructor', '..%2f..%2fpackage.json', 'other.js']) {
    expect((await docent.get(`/assets/${name}`)).status).toBe(404)
  }
})
