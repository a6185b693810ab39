import { expect, it } from 'vitest'
import { systemClock } from '../base/clock.ts'
import { readSite } from '../content/read-site.ts'
import { crawlSite } from './crawl-site.ts'
import { startTestSite, type TestReply } from '../../test/support/crawl-test-server.ts'
import type { CachedReplyMap } from './reply-cache.ts'

const page = (title: string, body = '') =>
  `<html><head><title>${title}</title></head><body><main><h1>${title}</h1>${body}</main></body></html>`

async function crawl(url: string, kept: CachedReplyMap = new Map()) {
  const signal = new AbortController().signal
  const limits = { delayMs: 0 }
  const result = await crawlSite({ url, allowsPrivateAddresses: true, clock: systemClock, signal, limits, kept })
  const site = await readSite(result.tree)
  return { ...result, pages: site.pages.map(({ path, markdown }) => `${path} ${markdown}`) }
}

/** A page with an entity tag, as static hosts send it; asked with the same tag it answers 304. */
function tagged(text: string): TestReply {
  return (request, response) => {
    const etag = `"${text.length}"`
    if (request.headers['if-none-match'] === etag) response.writeHead(304, { etag }).end()
    else response.writeHead(200, { 'content-type': 'text/html', etag }).end(text)
  }
}

const status =
  (code: number): TestReply =>
  (_request, response) =>
    response.writeHead(code).end()

it('is sent only what has changed since the crawl before', async () => {
  const sent: string[] = []
  const replies: Record<string, TestReply> = {
    '/': tagged(page('Home', '<a href="/a">a</a><a href="/b">b</a>')),
    '/a': tagged(page('A', '<p>Old.</p>')),
    '/b': (request, response) => {
      sent.push(String(request.headers['if-modified-since']))
      response
        .writeHead(200, { 'content-type': 'text/html', 'last-modified': 'Mon, 02 Feb 2026 10:00:00 GMT' })
        .end(page('B', '<p>Same.</p>'))
    },
  }
  await using site = await startTestSite(replies)
  const first = await crawl(site.url)
  replies['/a'] = tagged(page('A', '<p>New and longer.</p>'))

  const second = await crawl(site.url, first.kept)

  expect(second.pages).toEqual([expect.stringMatching(/^\/ /), '/a New and longer.', '/b Same.'])
  expect(second.pages[0]).toBe(first.pages[0])
  expect(sent).toEqual(['undefined', 'Mon, 02 Feb 2026 10:00:00 GMT'])
})

it('gives the same revision for the same site, in whatever order its pages answer', async () => {
  const answered = Promise.withResolvers<void>()
  const replies: Record<string, TestReply> = {
    '/': page('Home', '<a href="/a">a</a><a href="/b">b</a>'),
    '/a': page('A', '<a href="/c">c</a>'),
    '/b': page('B'),
    '/c': page('C'),
  }
  await using site = await startTestSite(replies)
  const first = await crawl(site.url)
  replies['/a'] = (_request, response) => {
    void answered.promise.then(() =>
      response.writeHead(200, { 'content-type': 'text/html' }).end(page('A', '<a href="/c">c</a>')),
    )
  }
  replies['/b'] = (_request, response) => {
    response.on('finish', answered.resolve)
    response.writeHead(200, { 'content-type': 'text/html' }).end(page('B'))
  }

  const second = await crawl(site.url)

  expect(second.tree.revision).toBe(first.tree.revision)
  expect(first.pages.map((text) => text.split(' ')[0])).toEqual(['/', '/a', '/b', '/c'])
})

it('keeps a page whose server fails for a while, says so, and lets a deleted one go at once', async () => {
  const replies: Record<string, TestReply> = {
    '/': page('Home', '<a href="/a">a</a><a href="/b">b</a>'),
    '/a': page('A', '<p>Here.</p>'),
    '/b': page('B'),
  }
  await using site = await startTestSite(replies)
  let { kept } = await crawl(site.url)
  replies['/a'] = status(503)
  replies['/b'] = status(404)

  const found: boolean[] = []
  for (let attempt = 1; attempt <= 4; attempt++) {
    const result = await crawl(site.url, kept)
    kept = result.kept
    found.push(result.pages.includes('/a Here.'))
    expect(result.pages.some((text) => text.startsWith('/b'))).toBe(false)
    const rules = result.findings.map(({ file, rule }) => `${file} ${rule}`).sort()
    expect(rules).toEqual([`/a ${attempt < 4 ? 'page-kept' : 'page-not-fetched'}`, '/b page-not-fetched'])
  }

  expect(found).toEqual([true, true, true, false])
})

it('tells a site that does not answer at all from one that has no pages', async () => {
  const site = await startTestSite({ '/': page('Home') })
  const first = await crawl(site.url)
  await site[Symbol.asyncDispose]()

  const gone = await crawl(site.url, first.kept)

  expect([first.hasAnswer, gone.hasAnswer]).toEqual([true, false])
})

it('does not believe a 304 that it did not ask for', async () => {
  await using site = await startTestSite({ '/': page('Home', '<a href="/a">a</a>'), '/a': status(304) })

  const { pages, findings } = await crawl(site.url)

  expect(pages).toHaveLength(1)
  expect(findings).toMatchObject([{ file: '/a', rule: 'page-not-fetched' }])
})
