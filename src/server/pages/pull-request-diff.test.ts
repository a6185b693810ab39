import { expect, it } from 'vitest'
import type { FileDiff } from '../../git/diff-commits.ts'
import { renderFiles } from './pull-request-diff.ts'

const sample: FileDiff = {
  path: 'guides/a.md',
  previousPath: null,
  kind: 'modified',
  additions: 1,
  deletions: 1,
  isBinary: false,
  patch: '@@ -1 +1 @@\n-The old\ttext\n+The new\ttext\n',
}

const render = async (change: Partial<FileDiff>) => String(await renderFiles([{ ...sample, ...change }])[0])

it('shows the lines of a file with their numbers and what changed in them', async () => {
  const text = (await render({})).replace(/\s*\n\s*/g, '')

  expect(text).toContain('<td class="number">1</td><td class="number"></td>')
  expect(text).toContain('The <del>old</del>\ttext')
  expect(text).toContain('The <ins>new</ins>\ttext')
})

it('shows names and lines of files as text, whatever they hold', async () => {
  const evil = `<img src=x onerror=alert(1)>"'`

  const text = await render({ path: evil, previousPath: evil, patch: `@@ -1 +1 @@ ${evil}\n+${evil}\n` })

  expect(text).not.toContain('<img')
  expect(text.split('&lt;img')).toHaveLength(5)
})

it.each([
  ['a turn of direction', 'a\u202Eb', 'U+202E'],
  ['no width', 'a\u200Bb', 'U+200B'],
  ['a tag', 'a\u{E0041}b', 'U+E0041'],
  ['a look of nothing', 'a\uFE0Fb', 'U+FE0F'],
  ['a look beyond those', 'a\u{E0100}b', 'U+E0100'],
  ['a letter that fonts leave empty', 'a\u3164b', 'U+3164'],
  ['a separator of lines', 'a\u2028b', 'U+2028'],
  ['an escape', 'a\u001Bb', 'U+001B'],
])('makes visible a character of %s', async (_, line, code) => {
  const text = await render({ patch: `@@ -0,0 +1 @@\n+${line}\n` })

  expect(text).toContain(`a<span class="hidden-character">${code}</span>b`)
})

it('leaves pictures as they are', async () => {
  expect(await render({ patch: '@@ -0,0 +1 @@\n+A \u26A0\uFE0F warning\n' })).toContain('A \u26A0\uFE0F warning')
})

it('says what is no plain file any more', async () => {
  expect(await render({ becomes: 'link' })).toContain('<strong>symbolic link</strong>')
})

it('says why there are no lines', async () => {
  expect(await render({ isBinary: true, patch: null })).toContain('not text')
  expect(await render({ additions: 9, patch: null })).toContain('too large')
  expect(await render({ additions: 0, deletions: 0, patch: null })).toContain('unchanged')
})

it('shows no more lines than a browser takes, and says so', () => {
  const long = { ...sample, additions: 15_000, patch: `@@ -0,0 +1,15000 @@\n${'+\n'.repeat(15_000)}` }

  const pages = renderFiles([long, long, sample]).map(String)

  expect(pages.map((page) => page.includes('too large'))).toEqual([false, true, false])
})

it('leaves long files closed', async () => {
  expect(await render({})).toMatch(/<details[^>]* open>/)
  expect(await render({ additions: 5_000 })).not.toMatch(/<details[^>]* open>/)
})
