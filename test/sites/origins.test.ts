import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { splitBlocks } from '../../src/content/markdown/markdown-blocks.ts'
import { chunkPage } from '../../src/content/pages/chunk-page.ts'
import { readSite } from '../../src/content/read-site.ts'
import { openFolderTree } from '../../src/content/trees/folder-tree.ts'
import { buildIndexFile } from '../../src/search/index-file/build-index-file.ts'
import { IndexFile } from '../../src/search/index-file/index-file.ts'
import { makePassage } from '../../src/search/search-index-file.ts'
import { findFault, type LocatedBlock } from './check-origins.ts'

/** As in `real-sites.test.ts`; the product's own documentation is always there. */
const sitesFolder = process.env['TEST_SITES']
const others = sitesFolder === undefined ? [] : readdirSync(sitesFolder).map((name) => join(sitesFolder, name))
const sites = [join(import.meta.dirname, '../../docs'), ...others]
const scratch = mkdtempSync(join(tmpdir(), 'origins-test-'))
afterAll(() => rmSync(scratch, { recursive: true, force: true }))
const timeout = 300_000

const hasWords = ({ text }: LocatedBlock) => /[\p{L}\p{N}]/u.test(text)
const isProse = ({ text }: LocatedBlock) => !/^(?:```|~~~)/.test(text)

async function indexSite(folder: string): Promise<IndexFile> {
  const { pages } = await readSite(await openFolderTree(folder))
  const header = { siteName: '', siteDescription: '', revision: 'r', defaultVersion: null, defaultLanguage: null }
  const file = join(scratch, 'index.sqlite')
  buildIndexFile(file, { header, pages, chunkPage })
  return new IndexFile(file)
}

function listBlocks(index: IndexFile): { ofPages: LocatedBlock[]; ofPassages: LocatedBlock[] } {
  const pair = (markdown: string, file: string, origins: LocatedBlock['origin'][]) => {
    const blocks = splitBlocks(markdown)
    expect(origins).toHaveLength(blocks.length)
    return blocks.flatMap(({ text }, place) => {
      const origin = origins[place]
      return origin === undefined ? [] : { text, file, origin }
    })
  }
  const ofPages = index.pages.flatMap(({ file }, page) =>
    file === null ? [] : pair(index.getMarkdown(page), file, index.getOrigins(page)),
  )
  const chunks = [...index.chunkPages.keys()].filter((chunk) => index.hasChunk(chunk))
  const ofPassages = chunks.map((chunk) => {
    const { content, file, origins = [] } = makePassage(index, chunk, 1, new Map())
    return file === undefined ? [] : pair(content, file, origins)
  })
  return { ofPages, ofPassages: ofPassages.flat() }
}

function measureShare(blocks: readonly LocatedBlock[], weigh: (block: LocatedBlock) => number): number {
  const sum = (counted: readonly LocatedBlock[]) => counted.reduce((total, block) => total + weigh(block), 0)
  return Math.round((1_000 * sum(blocks.filter(({ origin }) => origin.lines !== null))) / sum(blocks)) / 10
}

describe.each(sites)('the passages of %s', (folder) => {
  it('stand in the lines that they name, nearly all of the prose', { timeout }, async () => {
    const index = await indexSite(folder)

    const { ofPages, ofPassages } = listBlocks(index)
    index.close()

    const faults = [...ofPages, ...ofPassages].flatMap((block) => findFault(folder, block) ?? [])
    expect(faults).toEqual([])
    const worded = ofPages.filter(hasWords)
    const shares = {
      blocks: measureShare(worded, () => 1),
      characters: measureShare(worded, ({ text }) => text.length),
      prose: measureShare(worded.filter(isProse), () => 1),
    }
    process.stdout.write(`${folder} ${JSON.stringify(shares)}\n`)
    expect(shares.prose).toBeGreaterThan(85)
  })
})
