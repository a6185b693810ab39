import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readAnswerSet } from '../../src/cli/evaluation/eval-answer-set.ts'
import type { Citation } from '../../src/contract/citations.ts'
import { askDocent } from '../support/ask.ts'
import { closeWindows, shareBrowser } from '../support/share-browser.ts'
import { type Docent, startDocent } from '../support/start-docent.ts'
import { findChromium, missingChromium } from '../wire/browser/find-chromium.ts'

const hasChromium = findChromium() !== null
if (!hasChromium) process.stderr.write(`Skipped: text fragments in a browser. ${missingChromium}\n`)

/** Of the questions about this project's own documentation, and of the citations of their answers. */
const sample = { questions: 6, citations: 8 }
const lightColor = 'rgb(255, 0, 255)'

describe.skipIf(!hasChromium)('the address of a citation', () => {
  let docent: Docent
  let page: Page
  let canvas: Page
  beforeAll(async () => {
    docent = await startDocent({ demoFolder: join(import.meta.dirname, '../../docs') })
    // Small, because each of its pixels is looked at.
    const viewport = { width: 800, height: 480 }
    const context = await (await shareBrowser()).newContext({ reducedMotion: 'reduce', viewport })
    page = await context.newPage()
    canvas = await context.newPage()
  })
  afterAll(async () => {
    await closeWindows()
    await docent?.remove()
  })

  async function listCitations(): Promise<Citation[]> {
    const { questions } = await readAnswerSet(join(import.meta.dirname, '../answers/own-docs'))
    const answerable = questions.filter(({ answerable }) => answerable)
    const found = new Map<string, Citation>()
    for (let index = 0; index < answerable.length; index += sample.questions) {
      const { frames } = await askDocent(docent, answerable[index]?.query ?? '')
      for (const frame of frames) if (frame.type === 'data-docent-citation') found.set(frame.data.url, frame.data)
    }
    return [...found.values()].filter((_, index) => index % sample.citations === 0)
  }

  /** Opens an address. @returns The text of the block that the browser highlights; null if it highlights none. */
  async function open(url: string): Promise<string | null> {
    await page.goto('about:blank')
    await page.goto(url)
    await page.evaluate((color) => {
      const sheet = new CSSStyleSheet()
      sheet.replaceSync(`::target-text { background: ${color} !important; color: ${color} !important }`)
      document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet]
    }, lightColor)
    for (let tries = 0; tries < 12; tries++) {
      await page.waitForTimeout(100 + 50 * tries)
      const place = await canvas.evaluate(findLight, (await page.screenshot()).toString('base64'))
      if (place !== null) return page.evaluate(readBlock, place)
    }
    return null
  }

  it('lights the quoted block of served pages, in nineteen of twenty cases or more', async () => {
    const citations = (await listCitations()).filter(({ url }) => url.includes(':~:text='))
    const dark: string[] = []
    for (const { url, quote } of citations) {
      const lit = await open(url)
      if (lit === null || !isSameText(quote, lit)) dark.push(`${url} lights ${lit}`)
    }

    expect(citations.length).toBeGreaterThan(8)
    expect(dark.slice(Math.floor(citations.length * 0.05))).toEqual([])
  }, 300_000)

  it('leads to the section where the words are no longer there', async () => {
    const citation = (await listCitations()).find(({ source }) => source.anchor !== null)
    const { anchor = '' } = citation?.source ?? {}

    const lit = await open((citation?.url ?? '').replace(/:~:.*/, ':~:text=words%20of%20no%20page'))

    expect(lit).toBeNull()
    await page.waitForFunction(
      (id) => Math.abs(document.getElementById(id)?.getBoundingClientRect().top ?? 1e9) < 200,
      anchor ?? '',
    )
  }, 60_000)
})

/** The first pixel of the highlight in a picture of the page. */
async function findLight(png: string): Promise<{ x: number; y: number } | null> {
  const image = new Image()
  image.src = `data:image/png;base64,${png}`
  await image.decode()
  const canvas = document.createElement('canvas')
  Object.assign(canvas, { width: image.width, height: image.height })
  const context = canvas.getContext('2d')
  context?.drawImage(image, 0, 0)
  const data = context?.getImageData(0, 0, image.width, image.height).data ?? []
  for (let at = 0; at < data.length; at += 4) {
    const [red = 0, green = 255, blue = 0] = [data[at], data[at + 1], data[at + 2]]
    if (red > 245 && green < 10 && blue > 245) return { x: (at / 4) % image.width, y: Math.floor(at / 4 / image.width) }
  }
  return null
}

function readBlock({ x, y }: { x: number; y: number }): string {
  const element = document.elementFromPoint(x + 2, y + 4)
  return (element?.closest('p, li, tr, pre, h1, h2, h3, h4, dd, dt') ?? element)?.textContent ?? ''
}

/** Whether the words of a quote are in a rendered block. */
function isSameText(quote: string, block: string): boolean {
  const listWords = (text: string) => text.toLowerCase().match(/[a-z0-9]+/g) ?? []
  const words = listWords(quote.replace(/\]\([^)]*\)/g, ''))
  const shown = new Set(listWords(block))
  return words.filter((word) => shown.has(word)).length >= 0.8 * words.length
}
