import { appendFile, cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { siteSchema } from '../../src/contract/admin.ts'
import { errorBodySchema } from '../../src/contract/error-body.ts'
import { cheapPasswords, makeOwner } from '../support/member-browser.ts'
import { noonClock } from '../support/noon.ts'
import { adminKey, type Docent, sampleSite, startDocent } from '../support/start-docent.ts'

const browser = { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' }
const asAdmin = { authorization: `Bearer ${adminKey}` }

const hostile = `---
title: "</title><script>alert(1)</script>"
description: "\\"><img src=x onerror=alert(2)>"
---

A text. <script>alert(3)</script>

<img src="x" onerror="alert(4)">

<svg onload="alert(5)"><script>alert(6)</script></svg>

[click](javascript:alert(7)) ![p](javascript:alert(8)) [d](data:text/html;base64,PHNjcmlwdD4=)

\`\`\`html
<script>alert("shown")</script>
\`\`\`
`

const drawing = '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(9)"/>'

let docent: Docent
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'docent-site-'))
  await cp(sampleSite, folder, { recursive: true })
  const config = {
    name: 'Kiosk',
    description: 'Software for ticket machines.',
    navigation: {
      versions: [
        {
          version: 'v2',
          default: true,
          groups: [
            { group: 'Start', pages: ['index', 'guides/install', 'guides/printers'] },
            { group: 'Odd', pages: ['odd/hostile', 'odd/hôtel', 'search', 'reference/partners'] },
          ],
        },
        { version: 'v1', groups: [{ group: 'Old', pages: ['old/install'] }] },
      ],
    },
  }
  await writeFile(join(folder, 'docs.json'), JSON.stringify(config))
  await mkdir(join(folder, 'odd'))
  await mkdir(join(folder, 'old'))
  await writeFile(join(folder, 'odd/hostile.md'), hostile)
  await writeFile(join(folder, 'odd/hôtel.mdx'), '---\ntitle: Hôtel\n---\nRooms.\n\n![The hall](<hall (1).svg>)\n')
  await writeFile(join(folder, 'odd/hall (1).svg'), drawing)
  await writeFile(join(folder, 'favicon.svg'), drawing)
  await writeFile(join(folder, 'odd/plan.png'), 'shown to partners alone')
  await appendFile(join(folder, 'reference/partners.mdx'), '\n![The plan](/odd/plan.png)\n')
  await writeFile(
    join(folder, 'search.mdx'),
    '---\ntitle: About searching\n---\nHow to search: [Paper](/guides/printers#paper), `[a](/b)`.\n',
  )
  await writeFile(join(folder, 'old/install.mdx'), '---\ntitle: Old install\n---\nFloppy disks.\n')
  docent = await startDocent({
    demoFolder: folder,
    passwordCost: cheapPasswords,
    clock: noonClock,
    env: { DOCENT_LIMIT_SEARCH_PER_HOUR: '5' },
  })
})
afterAll(async () => {
  await docent.remove()
  await rm(folder, { recursive: true })
})

const get = (path: string, init: RequestInit = {}) => fetch(docent.url + path, { redirect: 'manual', ...init })
const textAt = async (path: string, headers = {}) => (await get(path, { headers })).text()

/** Indexes the site again and waits until the next generation is served. */
async function sync(tag: string) {
  expect((await docent.post('/admin/v1/sites/docs/sync', {}, asAdmin)).ok).toBe(true)
  while ((await get('/sites/docs/llms.txt')).headers.get('etag') === tag) await wait(20)
}

describe('llms.txt', () => {
  it.each(['/sites/docs/llms.txt', '/sites/docs/.well-known/llms.txt'])('is served at %s', async (path) => {
    const text = await textAt(path)

    expect(text).toMatch(
      /^# Kiosk\n\n> Software for ticket machines\.\n\nEvery page .+\n\n## Start\n\n- \[What Kiosk is\]/,
    )
    expect(text).toContain(`- [Printers](${docent.url}/sites/docs/guides/printers.md): Supported printers and paper.\n`)
  })

  it('links to Markdown that is there, for every page', async () => {
    const links = Array.from(
      (await textAt('/sites/docs/llms.txt')).matchAll(/\]\((\S+\.md)\)/g),
      ([, link]) => link ?? '',
    )

    expect(links).toHaveLength(6)
    for (const link of links) {
      const response = await fetch(link)
      expect(response.status).toBe(200)
      expect(await response.text()).toMatch(/^> Index of all pages: \S+\/llms\.txt\n\n# /)
    }
  })

  it.each(['llms.txt', 'llms-full.txt'])('%s has no page of another version or of a group', async (name) => {
    const text = await textAt(`/sites/docs/${name}`)

    expect(text).toContain('Printers')
    expect(text).not.toMatch(/artner|zeppelin|Old install|Floppy/)
  })

  it('llms-full.txt holds the pages whole, each with its address', async () => {
    const text = await textAt('/sites/docs/llms-full.txt')

    expect(text).toContain(
      `# Printers\n\nSource: ${docent.url}/sites/docs/guides/printers\n\nSupported printers and paper.\n`,
    )
    expect(text).toContain('Never open the printer lid')
    expect(text).toContain('Rooms.')
  })
})

describe('a page', () => {
  it('is HTML for browsers, with its place in the navigation of its version', async () => {
    const response = await get('/sites/docs/guides/install', { headers: browser })

    const html = await response.text()
    expect(response.headers.get('content-type')).toBe('text/html; charset=UTF-8')
    expect(html).toContain('<h1>Install Kiosk</h1>')
    expect(html).toMatch(/<a href="\/sites\/docs\/guides\/install" aria-current="page">/)
    expect(html).not.toContain('Old install')
    const old = await textAt('/sites/docs/old/install', browser)
    expect(old).toContain('Old install')
    const menu = (text: string) => /<details class="editions">.*?<\/details>/s.exec(text)?.[0] ?? ''
    expect(menu(html)).toContain('<a href="/sites/docs/old/install" >v1</a>')
    expect(menu(old)).toContain('<a href="/sites/docs/guides/install" >v2</a>')
  })

  it.each([
    ['/sites/docs/guides/install.md', {}, 'markdown'],
    ['/sites/docs/guides/install.mdx', browser, 'markdown'],
    ['/sites/docs/guides/install', { accept: 'text/markdown, text/html;q=0.5' }, 'markdown'],
    ['/sites/docs/guides/install', { accept: 'text/plain' }, 'plain'],
  ])('is Markdown at %s for %o', async (path, headers, type) => {
    const response = await get(path, { headers })

    expect(response.headers.get('content-type')).toBe(`text/${type}; charset=utf-8`)
    expect(response.headers.get('vary')).toBe('Accept')
    expect(await response.text()).toMatch(/^> Index .+\n\n# Install Kiosk\n\n> Put Kiosk on a machine\.\n\n/)
  })

  it('tells programs where the site is as text, and its own other form', async () => {
    const html = await get('/sites/docs/guides/install', { headers: browser })
    const markdown = await get('/sites/docs/guides/install.md')

    const base = `${docent.url}/sites/docs`
    const about = `<${base}/llms.txt>; rel="describedby"; type="text/markdown"`
    const site = `${about}, <${base}/llms.txt>; rel="llms-txt", <${base}/llms-full.txt>; rel="llms-full-txt", <${base}/.well-known/ai-catalog.json>; rel="ai-catalog", <${base}/.well-known/ard.json>; rel="ard"`
    expect(html.headers.get('x-llms-txt')).toBe('/sites/docs/llms.txt')
    expect(html.headers.get('link')).toBe(`${site}, <${base}/guides/install.md>; rel="alternate"; type="text/markdown"`)
    expect(markdown.headers.get('x-llms-txt')).toBe('/sites/docs/llms.txt')
    expect(markdown.headers.get('link')).toBe(`${site}, <${base}/guides/install>; rel="canonical"`)
  })

  it('has robots.txt, llms.txt and a sitemap at the origin, where programs look first', async () => {
    const [robots, sitemap, list] = await Promise.all(
      ['/robots.txt', '/sitemap.xml', '/llms.txt'].map((path) => get(path)),
    )

    expect(robots?.headers.get('content-type')).toBe('text/plain; charset=utf-8')
    const rules = (await robots?.text()) ?? ''
    expect(rules).toMatch(/^User-agent: \*\nContent-Signal: search=yes, ai-input=yes\nAllow: \/\nDisallow: \/admin\/\n/)
    expect(rules).toContain(
      `\nSitemap: ${docent.url}/sitemap.xml\nAgentmap: ${docent.url}/sites/docs/.well-known/ard.json\n`,
    )
    expect(await sitemap?.text()).toContain(`<loc>${docent.url}/sites/docs/sitemap.xml</loc>`)
    expect(await list?.text()).toBe(await (await get('/sites/docs/llms.txt')).text())
  })

  it.each([
    ['/sites/docs/', '/sites/docs'],
    ['/sites/docs/index', '/sites/docs'],
    ['/sites/docs/guides/install/', '/sites/docs/guides/install'],
    ['/sites/docs/guides/install/?a=b', '/sites/docs/guides/install?a=b'],
    ['/sites/docs//guides/install', '/sites/docs/guides/install'],
    ['/sites/docs/odd/h%C3%B4tel/', '/sites/docs/odd/h%C3%B4tel'],
  ])('has one address: %s leads to %s', async (path, address) => {
    const response = await get(path)

    expect(response.status).toBe(308)
    expect(response.headers.get('location')).toBe(address)
    expect((await get(address)).status).toBe(200)
  })

  it('leads nowhere else', async () => {
    for (const path of ['/sites/docs//evil.example/', '/sites/docs/%2F%2Fevil.example/', '/sites//evil.example/']) {
      expect((await get(path)).status).toBe(404)
    }
  })

  it('answers HEAD as GET, without the body', async () => {
    for (const path of ['guides/install', 'guides/install.md', 'llms.txt', 'llms-full.txt']) {
      const head = await get(`/sites/docs/${path}`, { method: 'HEAD' })
      const whole = await get(`/sites/docs/${path}`)

      expect(head.status).toBe(200)
      expect(await head.text()).toBe('')
      for (const name of ['content-type', 'etag', 'link', 'cache-control']) {
        expect(head.headers.get(name)).toBe(whole.headers.get(name))
      }
      await whole.body?.cancel()
    }
  })
})

describe('a link within the site', () => {
  const written = (page: string) => `[Paper](${docent.url}/sites/docs${page}#paper), \`[a](/b)\``

  it.each([
    ['/sites/docs/search.md', {}],
    ['/sites/docs/search', { accept: 'text/markdown' }],
    ['/sites/docs/llms-full.txt', {}],
  ])('is absolute and leads to Markdown at %s %j, but not in code', async (path, headers) => {
    expect(await textAt(path, headers)).toContain(written('/guides/printers.md'))
  })

  it('is absolute in the reply to a search, and to the request for a page', async () => {
    const page = await docent.post('/discovery/v1/page/docs', { path: '/search' })
    const search = await docent.post('/discovery/v1/search/docs', { query: 'how to search' })

    const texts = [(await page.json()).content, (await search.json())[0].content]
    expect(texts).toEqual(Array(2).fill(expect.stringContaining(written('/guides/printers'))))
  })
})

describe('nothing of a site runs', () => {
  it('in HTML, whatever its Markdown, title and description hold', async () => {
    const response = await get('/sites/docs/odd/hostile', { headers: browser })

    const html = await response.text()
    expect(html).toContain('A text.')
    expect(html.replace(/<[^>]*>/g, '')).toContain('&#x3C;script>alert("shown")')
    // Our own drawings and scripts are the same on every page.
    const ours = new Set((await textAt('/sites/docs/guides/install', browser)).match(/<(?:svg|script)[^>]*>/g))
    const tags = (html.match(/<[a-z][^>]*>/gi) ?? []).filter((tag) => !ours.has(tag))
    const names = new Set(tags.map((tag) => /^<([a-z0-9]+)/i.exec(tag)?.[1]?.toLowerCase()))
    expect(
      [...names].filter((name) => ['svg', 'script', 'iframe', 'object', 'style', 'img', 'base'].includes(name ?? '')),
    ).toEqual([])
    expect(tags.filter((tag) => /\son\w+\s*=/i.test(tag.replace(/"[^"]*"/g, '')))).toEqual([])
    expect(html).not.toMatch(/(?:href|src)="?\s*(?:javascript|data:text)/i)
    expect(response.headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; .*script-src 'self'.*frame-ancestors 'none'$/,
    )
    expect(response.headers.get('content-security-policy')).not.toContain('unsafe')
  })

  it('in Markdown, which no browser may take for anything else', async () => {
    for (const path of ['odd/hostile.md', 'llms.txt', 'llms-full.txt']) {
      const { headers } = await get(`/sites/docs/${path}`)

      expect(headers.get('x-content-type-options')).toBe('nosniff')
      expect(headers.get('content-security-policy')).toBe("default-src 'none'; frame-ancestors 'none'; sandbox")
    }
  })
})

describe('an image', () => {
  const hall = '/sites/docs/odd/hall%20%281%29.svg'

  it('is shown on its page and in the Markdown of it, and runs nothing when it is opened by itself', async () => {
    const response = await get(hall)

    expect(await textAt('/sites/docs/odd/h%C3%B4tel', browser)).toContain(
      `<img src="${hall}" alt="The hall" loading="lazy">`,
    )
    expect(await textAt('/sites/docs/odd/h%C3%B4tel.md')).toContain(`![The hall](${docent.url}${hall})`)
    expect(await response.text()).toBe(drawing)
    expect(response.headers.get('content-type')).toBe('image/svg+xml')
    expect(response.headers.get('content-security-policy')).toMatch(/^default-src 'none'; .*; sandbox$/)
    const again = await get(hall, { headers: { 'if-none-match': response.headers.get('etag') ?? '' } })
    expect(again.status).toBe(304)
  })

  it('is there if it is the icon of the site, which shows no page', async () => {
    const { icon } = siteSchema.parse(await (await docent.get('/admin/v1/sites/docs', asAdmin)).json())

    expect(icon).toBe('/sites/docs/favicon.svg')
    expect(await textAt('/sites/docs/favicon.svg')).toBe(drawing)
  })

  it('is not there if no public page shows it', async () => {
    expect((await get('/sites/docs/odd/plan.png')).status).toBe(404)
    expect((await get('/sites/docs/docs.json')).status).toBe(404)
  })
})

it('has a feed and a list of changes for programs, which ask for them by a time', async () => {
  const feed = await get('/sites/docs/feed.xml')
  const changes = await get('/sites/docs/changes?since=2026-01-01')

  expect(feed.headers.get('content-type')).toBe('application/atom+xml; charset=utf-8')
  expect(await feed.text()).toContain(`<link rel="self" href="${docent.url}/sites/docs/feed.xml"/>`)
  expect(changes.headers.get('access-control-allow-origin')).toBe('*')
  // A folder has no past.
  expect(await changes.json()).toMatchObject({ items: [], isComplete: true })
  expect((await get('/sites/docs/changes?since=yesterday')).status).toBe(400)
  expect((await get('/sites/docs/changes')).status).toBe(404)
})

describe('a question in the address of a page', () => {
  const asked = '/sites/docs/guides/install.md?ask=What+does+E-42+mean%3F'
  const allow = (answersByAddress: boolean) =>
    fetch(`${docent.url}/admin/v1/sites/docs`, {
      method: 'PATCH',
      headers: { ...asAdmin, 'content-type': 'application/json' },
      body: JSON.stringify({ settings: { answersByAddress } }),
    })

  afterAll(async () => {
    await allow(false)
    await vi.waitUntil(async () => !(await textAt('/sites/docs/index.md')).includes('?ask='), 5_000)
  })

  it('is not answered unless the owner allows it', async () => {
    const page = await textAt('/sites/docs/guides/install.md')

    expect(await textAt(asked)).toBe(page)
    expect(page).not.toContain('?ask=')
  })

  it('is answered within the limits of the public key, from public pages, and never cached', async () => {
    const before = await get('/sites/docs/guides/install.md')
    expect((await allow(true)).status).toBe(200)
    await vi.waitFor(
      async () => expect(await textAt('/sites/docs/guides/install.md')).toContain('install.md?ask='),
      5_000,
    )
    const after = await get('/sites/docs/guides/install.md')

    const answer = await get(asked)

    expect(after.headers.get('etag')).not.toBe(before.headers.get('etag'))
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toBe('text/markdown; charset=utf-8')
    expect(answer.headers.get('cache-control')).toBe('no-store')
    expect(answer.headers.get('x-robots-tag')).toBe('noindex')
    expect([...answer.headers.keys()].join(' ')).toMatch(/ratelimit/)
    const text = await answer.text()
    expect(text).toMatch(/^> Verdict: \w+\. Index of all pages: /)
    expect(text).toContain(`${docent.url}/sites/docs/guides/printers.md#`)
    expect(await textAt('/robots.txt')).toContain('Disallow: /sites/*?ask=')
  })

  it.each([
    ['prefetches', { 'sec-purpose': 'prefetch' }],
    ['requests that other websites cause', { 'sec-fetch-site': 'cross-site' }],
    ['images', { 'sec-fetch-dest': 'image' }],
  ])('is not answered for %s', async (_, headers) => {
    const reply = await get(asked, { headers: headers as Record<string, string> })

    expect(await reply.text()).toBe(await textAt('/sites/docs/guides/install.md'))
  })

  it('is refused when it is too long, from a foreign origin, and for pages that are not public', async () => {
    const long = await get(`/sites/docs/guides/install.md?ask=${'a'.repeat(9_000)}`)
    const foreign = await get(asked, { headers: { origin: 'https://evil.example' } })
    const hidden = await get('/sites/docs/reference/partners.md?ask=What+are+the+terms%3F')

    expect([long.status, foreign.status, hidden.status]).toEqual([400, 403, 404])
  })
})

it('can be copied to another host: files for agents, of public pages only', async () => {
  const { items, nextCursor } = await (await docent.get('/admin/v1/sites/docs/agent-files', asAdmin)).json()

  const files = new Map(items.map(({ path, content }: { path: string; content: string }) => [path, content]))
  expect(nextCursor).toBeNull()
  expect([...files.keys()]).toEqual(
    expect.arrayContaining([
      'llms.txt',
      'llms-full.txt',
      'sitemap.xml',
      'feed.xml',
      'robots.txt',
      'opensearch.xml',
      'skill.md',
      'index.md',
      'odd/hôtel.md',
    ]),
  )
  expect(files.get('guides/install.md')).toBe(await textAt('/sites/docs/guides/install.md'))
  expect(files.get('llms.txt')).toBe(await textAt('/sites/docs/llms.txt'))
  expect(JSON.stringify(items)).not.toMatch(/zeppelin|Partner terms/)
})

describe('what is not there', () => {
  it('is the error body for programs', async () => {
    for (const headers of [{}, { accept: 'application/json' }]) {
      const response = await get('/sites/docs/nothing', { headers })

      expect(response.status).toBe(404)
      expect(errorBodySchema.parse(await response.json()).code).toBe('page_not_found')
    }
  })

  it.each([
    ['/sites/docs/guides/instal', { accept: 'text/markdown, text/html, */*' }],
    ['/sites/docs/guides/instal.md', {}],
  ])('is Markdown with the nearest pages at %s for %o', async (path, headers) => {
    const response = await get(path, { headers })

    const text = await response.text()
    expect(response.status).toBe(404)
    expect(response.headers.get('content-type')).toBe('text/markdown; charset=utf-8')
    expect(response.headers.get('vary')).toBe('Accept')
    expect(text).toMatch(/^# Page not found\n\n/)
    expect(text).toContain(`The nearest pages:\n\n- [Install Kiosk](${docent.url}/sites/docs/guides/install.md)`)
    expect(Buffer.byteLength(text)).toBeLessThan(2_048)
  })

  it('is JSON with the nearest pages for programs', async () => {
    const response = await get('/sites/docs/guides/instal', { headers: { accept: 'application/json' } })

    const page = `${docent.url}/sites/docs/guides/install`
    expect(errorBodySchema.parse(await response.json()).suggestions?.[0]).toEqual({
      title: 'Install Kiosk',
      url: page,
      markdownUrl: `${page}.md`,
    })
  })

  it.each([
    ['/Guides/Install', '/guides/install'],
    ['/docs/latest/guides/install.html?a=b', '/guides/install?a=b'],
    ['/install.md', '/guides/install.md'],
    ['/docs/llms.txt', '/llms.txt'],
  ])('but leads on where the page is certain: %s → %s', async (path, target) => {
    const response = await get(`/sites/docs${path}`)

    expect([response.status, response.headers.get('location')]).toEqual([308, `/sites/docs${target}`])
  })

  it('is a page for browsers, within the site', async () => {
    const response = await get('/sites/docs/nothing<script>', { headers: browser })

    const html = await response.text()
    expect(response.status).toBe(404)
    expect(response.headers.get('content-type')).toBe('text/html; charset=UTF-8')
    expect(html).toContain('<h1>Page not found</h1>')
    // A menu would be empty.
    expect(html).not.toContain('docent-pages')
    expect(html).toContain('There is no page /nothing&lt;script&gt; on the site docs.')
    expect(html).not.toContain('nothing<script>')
    const near = await textAt('/sites/docs/guides/instal', browser)
    expect(near).toContain('<li><a href="/sites/docs/guides/install">Install Kiosk</a></li>')
  })

  it('is told of a site too, and of a page with groups in the same words', async () => {
    const site = await get('/sites/other', { headers: browser })
    const hidden = await textAt('/sites/docs/reference/partners', browser)

    expect(site.status).toBe(404)
    expect(await site.text()).toContain('There is no site other.')
    expect(hidden).toContain('There is no page /reference/partners on the site docs.')
    expect(hidden).not.toMatch(/zeppelin|Partner terms/)
  })
})

it('carries the public key of its site, which works on it alone, until an owner revokes it', async () => {
  const html = await textAt('/sites/docs/guides/install', browser)
  const key = /data-key="(svc_dsc_[\w-]{43})"/.exec(html)?.[1] ?? ''
  const search = async (origin: string) => {
    const headers = { authorization: `Bearer ${key}`, origin }
    return (await docent.post('/discovery/v1/search/docs', { query: 'paper' }, headers)).status
  }
  expect(await search(docent.url)).toBe(200)
  expect(await search(docent.url.replace('127.0.0.1', 'localhost'))).toBe(403)

  const { items } = await (await docent.get('/admin/v1/keys?siteId=docs', asAdmin)).json()
  const own = items.find(({ purpose }: { purpose: string | null }) => purpose === 'pages')
  await docent.post(`/admin/v1/keys/${own.id}/revoke`, {}, asAdmin)

  const after = await get('/sites/docs/guides/install', { headers: browser })
  expect(after.status).toBe(200)
  expect(await after.text()).not.toContain('/widget.js')
  await docent.post('/admin/v1/keys', { kind: 'assistant', purpose: 'pages', name: 'Pages', siteId: 'docs' }, asAdmin)
  expect(await textAt('/sites/docs/guides/install', browser)).toContain('/widget.js')
})

it('takes feedback of readers on a page, one for each network, from its own forms only', async () => {
  const send = (form: Record<string, string>, headers = {}) =>
    get('/sites/docs/feedback', {
      method: 'POST',
      body: new URLSearchParams(form),
      headers: { ...browser, origin: docent.url, ...headers },
    })
  const list = async () => {
    const response = await docent.get('/admin/v1/feedback?siteId=docs&about=page', asAdmin)
    return (await response.json()).items
  }

  const yes = await send({ path: '/guides/install', helpful: 'yes' })
  const no = await send({ path: '/guides/install', helpful: 'no', note: ' Step 2\0 fails. ' })

  expect([yes.status, yes.headers.get('location')]).toEqual([303, '/sites/docs/guides/install#docent-thanks'])
  expect(no.status).toBe(303)
  expect((await send({ path: '/reference/partners', helpful: 'no' })).status).toBe(404)
  expect((await send({ path: '/guides/install', helpful: 'maybe' })).status).toBe(400)
  expect((await send({ path: '/guides/install', helpful: 'no', note: 'x'.repeat(20_000) })).status).toBe(413)
  expect((await send({ path: '/', helpful: 'no' }, { origin: 'https://evil.example' })).status).toBe(403)
  expect(await list()).toMatchObject([
    {
      path: '/guides/install',
      helpful: false,
      note: 'Step 2 fails.',
      messageId: null,
      fp: expect.stringMatching(/^network-/),
    },
  ])
})

it('leads from a page to the place where it is edited: members to a job, readers to feedback on sources of their own', async () => {
  const link = '/sites/docs/edit?page=%2Fguides%2Finstall'
  expect(await textAt('/sites/docs/guides/install', browser)).toContain(`href="${link}"`)
  const owner = await makeOwner(docent)

  const reader = await get(link)
  const member = await owner.get(link)

  expect(reader.headers.get('location')).toBe('/sites/docs/guides/install#docent-missing')
  expect(member.headers.get('location')).toMatch(/^\/dashboard\/[\w-]+\/jobs\/new\?site=docs&page=%2Fguides%2Finstall$/)
  expect((await get('/sites/docs/edit?page=/reference/partners')).status).toBe(404)
})

it('suggests near pages where there is none', async () => {
  const html = await textAt('/sites/docs/guide/printer', browser)

  expect(html).toContain('Perhaps you mean one of these pages:')
  expect(html.slice(html.indexOf('<main'))).toContain('<li><a href="/sites/docs/guides/printers">Printers</a></li>')
  expect(html.slice(html.indexOf('<main'))).not.toContain('partners')
})

describe('the search page', () => {
  it('shows public passages without a script, and is no page for robots', async () => {
    const html = await textAt('/sites/docs/search?q=E-42+paper', browser)

    expect(html).toContain('<h1>Search: E-42 paper</h1>')
    expect(html).toContain('<a href="/sites/docs/guides/printers#error-e-42">')
    expect(html).toContain('<meta name="robots" content="noindex" />')
    expect(html).toContain('value="E-42 paper"')
  })

  it('finds nothing that not everybody may see, and says so', async () => {
    const html = await textAt('/sites/docs/search?q=zeppelin+ride+commission', browser)

    expect(html).not.toMatch(/seven percent|Partner terms/)
  })

  it('repeats what was typed as text', async () => {
    const html = await textAt(`/sites/docs/search?q=${encodeURIComponent('"><script>alert(1)</script>')}`, browser)

    expect(html).not.toContain('<script>alert')
  })

  it('leaves a page of the site in its place', async () => {
    expect(await textAt('/sites/docs/search', browser)).toContain('<h1>About searching</h1>')
  })

  it('counts against the address, and tells people when it is used up', async () => {
    const replies = []
    for (let count = 0; count < 6; count++) replies.push(await get('/sites/docs/search?q=paper', { headers: browser }))

    const refused = replies.at(-1)
    expect(refused?.status).toBe(429)
    expect(refused?.headers.get('retry-after')).toMatch(/^\d+$/)
    expect(await refused?.text()).toContain('has used its 5 requests of this hour')
  })
})

// Last, because it changes the site.
it('lets clients keep a page until the next generation, and forgets a deleted one with it', async () => {
  const paths = ['guides/install', 'guides/install.md', 'llms.txt', 'llms-full.txt']
  const tags = await Promise.all(
    paths.map(async (path) => (await get(`/sites/docs/${path}`)).headers.get('etag') ?? ''),
  )
  const again = (path: string, tag: string) => get(`/sites/docs/${path}`, { headers: { 'if-none-match': tag } })
  expect(new Set(tags).size).toBe(4)
  for (const [place, path] of paths.entries()) {
    const known = await again(path, `"other", ${tags[place] ?? ''}`)
    expect(known.status).toBe(304)
    expect(await known.text()).toBe('')
    expect((await again(path, '"other"')).status).toBe(200)
  }
  expect((await again('guides/install', tags[1] ?? '')).status).toBe(200)

  await rm(join(folder, 'guides/printers.mdx'))
  await writeFile(join(folder, 'guides/install.mdx'), '---\ntitle: Install anew\n---\nQuokka.\n')
  await sync(tags[2] ?? '')

  for (const [place, path] of paths.entries()) {
    const fresh = await again(path, tags[place] ?? '')
    expect(fresh.status).toBe(200)
    expect(await fresh.text()).toContain('Install anew')
  }
  expect((await get('/sites/docs/guides/printers')).status).toBe(404)
})
