import { expect, it } from 'vitest'
import { renderComparison } from './compare-page.ts'

const page = (...blocks: string[]) => ({ title: 'Title', blocks })

async function rowsOf(...sides: Parameters<typeof renderComparison>): Promise<string[]> {
  const text = String(await renderComparison(...sides)).replace(/\s+/g, ' ')
  return text
    .split('<div class="row ')
    .slice(2)
    .map((row) => row.replace(/<\/?(?:div|article|main)[^>]*>/g, '').trim())
}

it('puts equal blocks beside each other, and marks what stands between them on one side or both', async () => {
  const before = page('<p>One</p>', '<p>Two</p>', '<p>Three</p>', '<p>Gone</p>')
  const after = page('<p>One</p>', '<p>2</p>', '<p>Three</p>')

  const rows = await rowsOf(before, after)

  expect(rows.map((row) => row.replace(/\s+<\/body>.*/, '').trim())).toEqual([
    'same"><h1>Title</h1><h1>Title</h1>',
    'same"><p>One</p><p>One</p>',
    'changed"> <del><p>Two</p></del> <ins><p>2</p></ins>',
    'same"><p>Three</p><p>Three</p>',
    'changed"> <del><p>Gone</p></del>',
  ])
})

it('shows a page that is on one side only as changed, with its title as text', async () => {
  const added = { title: '<script>alert(1)</script>', blocks: ['<p>New</p>'] }

  const html = String(await renderComparison(null, added))

  expect(html).toContain('Not there before')
  expect(html).toMatch(/<ins><article><h1>&lt;script&gt;alert\(1\)&lt;\/script&gt;<\/h1><p>New<\/p><\/article><\/ins>/)
})
