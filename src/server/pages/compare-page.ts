import { html, raw } from 'hono/html'
import { matchSequences } from '../../contract/match-sequences.ts'
import { assetPath } from './asset-path.ts'
import type { Markup } from './page-frame.ts'

/** A page on one side of a change, as safe HTML; null if it is not there. */
export interface ComparedPage {
  title: string
  blocks: readonly string[]
}

/** Blocks shown side by side. */
interface ComparedRow {
  before: string[]
  after: string[]
  isChanged: boolean
}

/** A page before and after a change, block beside block, with the changed ones marked. Has no script. */
export async function renderComparison(before: ComparedPage | null, after: ComparedPage | null) {
  const [one, other] = [await blocksOf(before), await blocksOf(after)]
  const rows = alignBlocks(one, other).map(renderRow)
  return renderComparedFrame(
    html`<div class="row heads">
        <p>${before === null ? 'Not there before' : 'Before'}</p>
        <p>${after === null ? 'Not there any more' : 'After'}</p>
      </div>
      ${rows}`,
  )
}

/** What the frame shows where there is nothing to compare. */
export function renderNoComparison(reason: string) {
  return renderComparedFrame(html`<p class="reason">${reason}</p>`)
}

function renderComparedFrame(main: Markup) {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>Before and after</title>
        <base target="_blank" />
        <link rel="stylesheet" href="${assetPath('site.css')}" />
        <link rel="stylesheet" href="/assets/compare.css" />
      </head>
      <body>
        <main>${main}</main>
      </body>
    </html>`
}

async function renderRow({ before, after, isChanged }: ComparedRow) {
  const cell = (blocks: readonly string[]) => html`<article>${raw(blocks.join(''))}</article>`
  if (!isChanged) return html`<div class="row same">${cell(before)}${cell(after)}</div>`
  const [removed, added] = [await cell(before), await cell(after)]
  return html`<div class="row changed">
    ${before.length === 0 ? html`<div class="none"></div>` : html`<del>${removed}</del>`}
    ${after.length === 0 ? html`<div class="none"></div>` : html`<ins>${added}</ins>`}
  </div>`
}

async function blocksOf(page: ComparedPage | null): Promise<string[]> {
  if (page === null) return []
  return [String(await html`<h1>${page.title}</h1>`), ...page.blocks.filter((block) => block.trim() !== '')]
}

/** Pairs equal blocks, and whatever is between them. Long pages with little in common stay unpaired. */
function alignBlocks(before: readonly string[], after: readonly string[]): ComparedRow[] {
  const matches = matchSequences(before, after) ?? []
  const rows: ComparedRow[] = []
  let [one, other] = [0, 0]
  for (const [nextOne, nextOther] of [...matches, [before.length, after.length] as const]) {
    const left = { before: before.slice(one, nextOne), after: after.slice(other, nextOther) }
    if (left.before.length + left.after.length > 0) rows.push({ ...left, isChanged: true })
    const same = { before: before.slice(nextOne, nextOne + 1), after: after.slice(nextOther, nextOther + 1) }
    if (same.before.length > 0) rows.push({ ...same, isChanged: false })
    ;[one, other] = [nextOne + 1, nextOther + 1]
  }
  return rows
}
