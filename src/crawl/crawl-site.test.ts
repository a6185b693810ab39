import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { systemClock } from '../base/clock.ts'
import { readSite } from '../content/read-site.ts'
import { type CrawlOptions, crawlSite } from './crawl-site.ts'
import { startTestSite, type TestReply } from '../../test/support/crawl-test-server.ts'

const page = (title: string, body = '') =>
  `<html><head><title>${title}</title></head><body><main><h1>${title}</h1>${body}</main></body></html>`
const link = (href: string) => `<a href="${href}">x</a>`
const sitemap = (urls: readonly string[], kind = 'urlset', entry = 'url') =>
  `<?xml version="1.0"?><${kind}>${urls.map((url) => `<${entry}><loc>${url}</loc></${entry}>`).join('')}</${kind}>`

const redirect =
  (location: string): TestReply =>
  (_request, response) =>
    response.writeHead(302, { location }).end()

function crawl(url: string, options: Partial<CrawlOptions> = {}) {
  const { limits, ...rest } = options
  return crawlSite({
    url,
    allowsPrivateAddresses: true,
    clock: systemClock,
    signal: new AbortController().signal,
    limits: { delayMs: 0, ...limits },
    ...rest,
  })
}

async function crawlAndRead(url: string, options: Partial<CrawlOptions> = {}) {
  const { tree, findings } = await crawl(url, options)
  const site = await readSite(tree)
  return { site, findings, paths: site.pages.map((each) => each.path) }
}

describe('crawlSite', () => {
  it('follows links within its scope, and reads each page once, under its own address', async () => {
    await using site = await startTestSite({
      '/docs/': page(
        'Home',
        ['a', './a/', 'a/index.html', 'a?x=1#y', 'b', '/blog', 'https://example.com/docs/c', 'x.pdf']
          .map(link)
          .join(''),
      ),
      '/docs/a': page('A', `<p>See ${link('../docs/b#part')}.</p>`),
      '/docs/b': page('B').replace('<head>', '<head><link rel="canonical" href="/docs/beta">'),
      '/blog': page('Blog'),
    })

    const { paths, findings, site: read } = await crawlAndRead(`${site.url}/docs/`)

    expect(paths).toEqual(['/docs', '/docs/a', '/docs/beta'])
    expect(read).toMatchObject({ format: 'crawl', name: 'Home' })
    expect(read.pages[1]?.markdown).toBe('See [x](/docs/b#part).')
    expect(findings).toEqual([])
    expect(site.paths().filter((path) => !/robots|sitemap|llms/.test(path))).toEqual([
      '/docs/',
      '/docs/',
      '/docs/a',
      '/docs/b',
    ])
    expect(site.requests[0]?.agent).toContain('docentbot')
  })

  it('takes the pages of the sitemap in its order, and honours robots.txt', async () => {
    const replies: Record<string, TestReply> = {}
    await using site = await startTestSite(replies)
    Object.assign(replies, {
      '/robots.txt': `User-agent: *\nDisallow: /private\nSitemap: ${site.url}/maps/index.xml`,
      '/maps/index.xml': sitemap(
        [`${site.url}/maps/one.xml.gz`, `${site.url}/maps/index.xml`],
        'sitemapindex',
        'sitemap',
      ),
      '/maps/one.xml.gz': (_request, response) =>
        response
          .writeHead(200)
          .end(
            gzipSync(sitemap([`${site.url}/b`, `${site.url}/private/x`, `${site.url}/a`, 'https://evil.example/c'])),
          ),
      '/': page('Home', link('/unlisted')),
      '/a': page('A'),
      '/b': page('B'),
      '/private/x': page('Private'),
      '/unlisted': page('Unlisted'),
    } satisfies Record<string, TestReply>)

    const { paths } = await crawlAndRead(site.url)

    expect(paths).toEqual(['/', '/b', '/a'])
    expect(site.paths()).not.toContain('/private/x')
  })

  it('prefers llms-full.txt that names the addresses of its pages, within the scope', async () => {
    await using site = await startTestSite({
      '/docs/llms-full.txt':
        '# One\nSource: /docs/one\n\nFirst.\n\n# Two\nSource: /docs/two\n\nSecond.\n\n# Out\nSource: /other\n\nOut.\n\n# Far\nSource: https://evil.example/docs/x\n\nFar.',
      '/docs/llms.txt': '# Kiosk\n\n## Start\n\n- [Two](/docs/two)\n- [One](/docs/one)\n',
      '/docs/': page('Home'),
    })

    const { paths, site: read } = await crawlAndRead(`${site.url}/docs`)

    expect(paths).toEqual(['/docs/two', '/docs/one'])
    expect(read).toMatchObject({ format: 'llms-txt', name: 'Kiosk' })
  })

  it('leaves out pages that ask not to be indexed, in their head or in a header', async () => {
    await using site = await startTestSite({
      '/': page('Home', link('/a') + link('/b')),
      '/a': page('A').replace('<head>', '<head><meta name="robots" content="noindex">'),
      '/b': (_request, response) =>
        response.writeHead(200, { 'content-type': 'text/html', 'x-robots-tag': 'noindex' }).end(page('B')),
    })

    const { paths } = await crawlAndRead(site.url)

    expect(paths).toEqual(['/'])
  })

  it('reads a site under the origin to which it moves from http or without www, and no other', async () => {
    const replies: Record<string, TestReply> = { '/a': page('A') }
    await using site = await startTestSite(replies)
    const resolve = async () => [{ address: '127.0.0.1', family: 4 as const }]
    replies['/'] = (request, response) => {
      if (request.headers.host === `www.kiosk.example:${site.port}`)
        response.writeHead(200, { 'content-type': 'text/html' }).end(page('Home', link('/a')))
      else response.writeHead(301, { location: `http://www.kiosk.example:${site.port}/` }).end()
    }

    const moved = await crawlAndRead(`http://kiosk.example:${site.port}/`, { resolve })
    replies['/'] = redirect(`http://other.example:${site.port}/`)
    const elsewhere = await crawlAndRead(`http://kiosk.example:${site.port}/`, { resolve })

    expect(moved.paths).toEqual(['/', '/a'])
    expect(elsewhere.paths).toEqual([])
    expect(elsewhere.findings).toMatchObject([{ rule: 'page-not-fetched' }])
    expect(site.requests.some(({ host }) => host.startsWith('other'))).toBe(false)
  })

  it('stops when it is told to', async () => {
    await using site = await startTestSite({ '/': page('Home') })

    await expect(crawl(site.url, { signal: AbortSignal.abort(new Error('enough')) })).rejects.toThrow('enough')
  })
})

describe('crawlSite against hostile sites', () => {
  it('reaches nothing private by address, by name or by redirect, and does not say what is there', async () => {
    await using secret = await startTestSite({ '/': page('Secret') })
    const resolve = async () => [{ address: '127.0.0.1', family: 4 as const }]

    const byAddress = await crawl('http://127.0.0.1/', { allowsPrivateAddresses: false })
    const byName = await crawl('http://inside.example/', { allowsPrivateAddresses: false, resolve })
    const gone = await crawl('http://gone.example/', { allowsPrivateAddresses: false, resolve: async () => [] })

    expect(secret.requests).toEqual([])
    const reasons = [byAddress, byName, gone].map(({ findings }) =>
      findings.find(({ rule }) => rule === 'page-not-fetched')?.message.replace(/\S+\.example|127\.0\.0\.1/, 'HOST'),
    )
    expect(new Set(reasons).size).toBe(1)
    expect(reasons[0]).toContain('may not be reached')
  })

  it.each([
    'http://169.254.169.254/latest/meta-data/',
    'http://[::ffff:a9fe:a9fe]/',
    'file:///etc/passwd',
    'http://127.0.0.1:22/',
    '//evil.example/',
  ])('does not follow a redirect to %s', async (target) => {
    await using site = await startTestSite({ '/': page('Home', link('/a')), '/a': redirect(target) })

    const { paths, findings } = await crawlAndRead(site.url)

    expect(paths).toEqual(['/'])
    expect(findings).toMatchObject([
      { file: '/a', rule: 'page-not-fetched', message: expect.stringContaining('outside') },
    ])
  })

  it('dials the address that was checked, although the name changes its address, and keeps the name', async () => {
    await using site = await startTestSite({ '/': page('Home', link('/a')), '/a': page('A') })
    let lookups = 0
    const resolve = async () => [{ address: lookups++ === 0 ? '127.0.0.1' : '127.0.0.2', family: 4 as const }]

    const { paths } = await crawlAndRead(`http://rebind.example:${site.port}/`, { resolve })

    expect(paths).toEqual(['/', '/a'])
    expect(lookups).toBe(1)
    expect(new Set(site.requests.map(({ host }) => host))).toEqual(new Set([`rebind.example:${site.port}`]))
  })

  it('ends with sitemaps in a circle and sitemaps of a million entries', { timeout: 30_000 }, async () => {
    const replies: Record<string, TestReply> = { '/': page('Home') }
    await using site = await startTestSite(replies)
    replies['/sitemap.xml'] = sitemap([`${site.url}/two.xml`, `${site.url}/huge.xml`], 'sitemapindex', 'sitemap')
    replies['/two.xml'] = sitemap([`${site.url}/sitemap.xml`, `${site.url}/two.xml`], 'sitemapindex', 'sitemap')
    replies['/huge.xml'] = sitemap(Array.from({ length: 1_000_000 }, (_, index) => `${site.url}/p${index}`))

    const { findings } = await crawl(site.url, { limits: { delayMs: 0, pagesMax: 20, textBytesMax: 128 * 1024 ** 2 } })

    expect(site.paths().filter((path) => /^\/p\d/.test(path)).length).toBeLessThan(20)
    expect(new Set(findings.map(({ rule }) => rule))).toEqual(new Set(['crawl-limit-reached', 'page-not-fetched']))
  })

  it('unpacks no more than the limit of what is packed', async () => {
    const bomb = gzipSync(Buffer.alloc(64 * 1024 ** 2))
    await using site = await startTestSite({
      '/': page('Home', link('/bomb') + link('/long') + link('/endless')),
      '/bomb': (_request, response) =>
        response.writeHead(200, { 'content-type': 'text/html', 'content-encoding': 'gzip' }).end(bomb),
      '/long': (_request, response) =>
        response.writeHead(200, { 'content-type': 'text/html', 'content-length': 10 ** 9 }).end('x'),
      '/endless': (_request, response) => {
        response.writeHead(200, { 'content-type': 'text/html' })
        const write = () => {
          while (!response.destroyed && response.write('x'.repeat(65_536)));
        }
        response.on('drain', write)
        write()
      },
    })

    const { paths, findings } = await crawlAndRead(site.url, { limits: { delayMs: 0, pageBytesMax: 1024 ** 2 } })

    expect(paths).toEqual(['/'])
    expect(new Set(findings.map(({ file, message }) => `${file} ${message.includes('larger')}`))).toEqual(
      new Set(['/bomb true', '/endless true', '/long true']),
    )
  })

  it('keeps within pages, depth, bytes and time', async () => {
    const endless = (request: { url?: string | undefined }) => {
      const number = Number(/\d+/.exec(request.url ?? '')?.[0] ?? 0)
      return page(`Page ${number}`, link(`/p${number + 1}`))
    }
    const replies: Record<string, TestReply> = {}
    await using site = await startTestSite(
      new Proxy(replies, {
        get: (_target, path: string) =>
          path === '/' || path.startsWith('/p')
            ? (
                request: { url?: string },
                response: { writeHead: (...given: unknown[]) => { end: (text: string) => void } },
              ) => response.writeHead(200, { 'content-type': 'text/html' }).end(endless(request))
            : undefined,
      }),
    )

    const byPages = await crawl(site.url, { limits: { delayMs: 0, pagesMax: 5, depthMax: 100 } })
    const byDepth = await crawl(site.url, { limits: { delayMs: 0, depthMax: 3 } })
    const byBytes = await crawl(site.url, { limits: { delayMs: 0, totalBytesMax: 600, depthMax: 100 } })
    let now = 0
    const byTime = await crawl(site.url, {
      clock: { now: () => (now += 100) },
      limits: { delayMs: 0, timeMs: 2000, depthMax: 100 },
    })

    const count = ({ tree }: { tree: { paths: readonly string[] } }) =>
      tree.paths.filter((path) => path.startsWith('pages')).length
    expect(count(byPages)).toBe(5)
    expect(count(byDepth)).toBe(4)
    expect(count(byBytes)).toBeLessThan(10)
    expect(count(byTime)).toBeLessThan(20)
    for (const { findings } of [byPages, byBytes, byTime])
      expect(findings.map(({ rule }) => rule)).toContain('crawl-limit-reached')
  })

  it('waits between requests as long as robots.txt asks', async () => {
    let requests = 0
    const answer: TestReply = (_request, response) => {
      requests++
      response.writeHead(200, { 'content-type': 'text/html' }).end(page('A', link('/b')))
    }
    await using site = await startTestSite({
      '/robots.txt': 'User-agent: *\nCrawl-delay: 0.1',
      '/': answer,
      '/b': answer,
    })
    const startedAt = performance.now()

    await crawl(site.url)

    // All together, because a busy machine may deliver one request late, and so the next one sooner after it.
    expect(performance.now() - startedAt).toBeGreaterThan((requests - 1) * 100 - 20)
    expect(requests).toBeGreaterThan(1)
  })

  it('ends a request that never answers', async () => {
    await using site = await startTestSite({ '/': page('Home', link('/slow')), '/slow': () => {} })

    const { paths, findings } = await crawlAndRead(site.url, { limits: { delayMs: 0, requestTimeoutMs: 200 } })

    expect(paths).toEqual(['/'])
    expect(findings).toMatchObject([{ file: '/slow', rule: 'page-not-fetched' }])
  })

  it('refuses a start that robots.txt closes, with a sentence that says what to do', async () => {
    await using site = await startTestSite({ '/robots.txt': 'User-agent: *\nDisallow: /', '/': page('Home') })

    await expect(crawl(site.url)).rejects.toThrow(/Allow the user agent docentbot/)
  })
})
