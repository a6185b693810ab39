import { setTimeout as wait } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { MarkdownRenderer } from './markdown-renderer.ts'

/**
 * Takes the parser minutes, because each opening bracket may begin a link. Timers would not fire if it blocked this
 * thread.
 */
const costly = '[a](<b'.repeat(60_000)

it('renders pages in the order of the requests', async () => {
  const renderer = new MarkdownRenderer()

  const outcomes = await Promise.all(['one', 'two', 'three'].map((markdown) => renderer.render({ markdown, base: '' })))

  expect(outcomes).toMatchObject(['one', 'two', 'three'].map((text) => ({ kind: 'rendered', html: `<p>${text}</p>` })))
})

it('gives up on a page that takes too long, and continues with the next', async () => {
  const renderer = new MarkdownRenderer({ timeLimitMs: 300 })
  await renderer.render({ markdown: 'warm', base: '' })

  const [hostile, next] = await Promise.all([
    renderer.render({ markdown: costly, base: '' }),
    renderer.render({ markdown: 'next', base: '' }),
  ])

  expect(hostile).toEqual({ kind: 'too-costly' })
  expect(next).toMatchObject({ kind: 'rendered', html: '<p>next</p>' })
})

it('refuses further pages if too many are waiting', async () => {
  const renderer = new MarkdownRenderer()

  const outcomes = await Promise.all(Array.from({ length: 150 }, () => renderer.render({ markdown: 'x', base: '' })))

  expect(outcomes.filter(({ kind }) => kind === 'rendered')).toHaveLength(101)
  expect(outcomes.filter(({ kind }) => kind === 'busy')).toHaveLength(49)
})

it('works again after its idle thread has ended', async () => {
  const renderer = new MarkdownRenderer({ idleMs: 1 })
  await renderer.render({ markdown: 'x', base: '' })
  await wait(100)

  expect(await renderer.render({ markdown: 'y', base: '' })).toMatchObject({ kind: 'rendered', html: '<p>y</p>' })
})
