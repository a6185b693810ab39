import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { FileTree } from '../../src/content/trees/file-tree.ts'
import { openFolderTree } from '../../src/content/trees/folder-tree.ts'
import { listAnchors } from '../../src/content/markdown/heading-anchors.ts'
import { decodeEntities } from '../../src/content/markdown/strip-tags.ts'
import { chunkPage } from '../../src/content/pages/chunk-page.ts'
import { readSite } from '../../src/content/read-site.ts'
import type { SiteContent } from '../../src/content/site-page.ts'
import { renderMarkdown } from '../../src/server/pages/text/render-markdown.ts'
import { listNavigation, listPageFiles } from './list-navigation.ts'

/**
 * A folder with one real documentation site in each of its folders, unpacked. Real sites do not go into this repository,
 * because they are other people's; these tests say so and are skipped where there are none.
 */
const sitesFolder = process.env['TEST_SITES']
const sites = sitesFolder === undefined ? [] : readdirSync(sitesFolder).map((name) => join(sitesFolder, name))
const timeout = 300_000

it.skipIf(sites.length > 0)('reads real documentation sites faithfully', ({ skip }) => {
  expect(sites).toEqual([])
  skip('Set TEST_SITES to a folder with one unpacked documentation site in each of its folders.')
})

/** Beyond this share, links are broken by the reading and not by their authors, who leave a tenth broken at worst. */
const brokenLinksShareMax = 0.15

const readings = new Map<string, Promise<{ tree: FileTree; site: SiteContent }>>()

/** Each site is read once, for all of its tests. */
function readFrom(folder: string) {
  const read = async () => {
    const tree = await openFolderTree(folder)
    return { tree, site: await readSite(tree) }
  }
  const reading = readings.get(folder) ?? read()
  readings.set(folder, reading)
  return reading
}

/** Without code, where anything may stand. */
function proseOf(markdown: string): string {
  const lines: string[] = []
  let fence = ''
  for (const line of markdown.split('\n')) {
    const [, mark = ''] = /^[ \t>]*(?:[-*+][ \t]+|\d+[.)][ \t]+)*(`{3,}|~{3,})/.exec(line) ?? []
    if (fence === '' && mark !== '') fence = mark
    else if (fence !== '' && line.trim().startsWith(fence)) fence = ''
    else if (fence === '') lines.push(line.replace(/(`+)(?:(?!\1).)*\1/g, ''))
  }
  return lines.join('\n')
}

function listBrokenLinks({ pages }: SiteContent): { total: number; broken: string[] } {
  const paths = new Set(pages.map(({ path }) => path))
  const links = pages.flatMap(({ file, markdown }) =>
    [...proseOf(markdown).matchAll(/(?<!!)\[[^\]]*\]\((\/[^)\s?#]*)[^)\s]*\)/g)].map(([, target = '']) => ({
      file,
      target,
    })),
  )
  const isFile = (target: string) => /\.\w{2,5}$/.test(target)
  const broken = links.filter(({ target }) => !paths.has(decodeURI(target)) && !isFile(target))
  return { total: links.length, broken: broken.map(({ file, target }) => `${file} → ${target}`) }
}

describe.each(sites)('the site in %s', (folder) => {
  it('has pages that can be told apart, and nothing of its markup in their prose', { timeout }, async () => {
    const { site } = await readFrom(folder)

    const places = site.pages.map(({ path, version, language }) => JSON.stringify([path, version, language]))
    expect(new Set(places).size).toBe(places.length)
    expect(site.pages.length).toBeGreaterThan(0)
    const remains = site.pages.flatMap(({ file, markdown }) =>
      [
        ...proseOf(markdown).matchAll(/^(?:import|export) .*\bfrom ['"].*|^:::.*|^!!! .*|\{\/\*.*|<!--.*|^--8<--.*/gm),
      ].map(([found]) => `${file}: ${found}`),
    )
    expect(remains).toEqual([])
  })

  it('has links that lead to its pages', { timeout }, async () => {
    const { site } = await readFrom(folder)

    const { total, broken } = listBrokenLinks(site)

    expect(broken.slice(0, Math.ceil(total * brokenLinksShareMax))).toEqual(broken)
  })
})

describe.each(sites)('the anchors of %s', (folder) => {
  it('are the same in the index and on the served page, for every heading', { timeout }, async () => {
    const { site } = await readFrom(folder)

    const missing = site.pages.flatMap((page) => {
      const served = new Set(listIds(renderMarkdown(page.markdown, '').html))
      const linked = chunkPage(page).flatMap(({ anchor }) => anchor ?? [])
      return [...listAnchors(page.markdown), ...linked].filter((anchor) => !served.has(anchor))
    })

    expect(missing).toEqual([])
  })
})

function listIds(html: string): string[] {
  return [...html.matchAll(/ id="([^"]*)"/g)].map(([, id = '']) => decodeEntities(id))
}

const docsJsonSites = sites.filter((folder) => readdirSync(folder).includes('docs.json'))

describe.each(docsJsonSites)('the navigation of %s', (folder) => {
  it('is in the index, page by page, and nothing that is hidden or beside it', { timeout }, async () => {
    const { tree, site } = await readFrom(folder)
    const files = new Set(listPageFiles(tree))
    const fileOf = (target: string) =>
      [`${target}.mdx`, `${target}.md`, `${target}/index.mdx`].find((file) => files.has(file))
    const says = (file: string, field: string) => {
      const [head = ''] = /^---\n[\s\S]*?\n---/.exec(readFileSync(join(folder, file), 'utf8')) ?? []
      return new RegExp(`^${field}: *["']?true`, 'm').test(head) || (field === 'url' && /^url:/m.test(head))
    }
    const wanted = new Set<string>()
    for (const { target, isHidden } of listNavigation(folder)) {
      const file = fileOf(target)
      if (file === undefined || isHidden) continue
      if (!['hidden', 'noindex', 'url'].some((field) => says(file, field))) wanted.add(file)
    }

    const shown = site.pages.filter(({ isSearchable, isListed }) => isSearchable || isListed)
    const indexed = new Set(shown.map(({ file }) => file).filter((file) => files.has(file)))

    expect(wanted.size).toBeGreaterThan(0)
    expect([...wanted].filter((file) => !indexed.has(file))).toEqual([])
    expect([...indexed].filter((file) => !wanted.has(file))).toEqual([])
  })
})
