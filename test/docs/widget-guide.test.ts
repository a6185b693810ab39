import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { panelSettings } from '../../web/widget/panel/panel-settings.ts'

/** Name of each setting in the guide, and what stands as code at the start of its default. */
function readGuide(): Map<string, string | undefined> {
  const guide = readFileSync(new URL('../../docs/guides/widget.mdx', import.meta.url), 'utf8')
  const rows = guide.matchAll(/^\| `data-([a-z-]+)` \|.*\| (?:`([^`]+)`)?[^|]*\|$/gm)
  const nameOf = (attribute: string) => attribute.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase())
  return new Map(Array.from(rows, ([, attribute = '', fallback]) => [nameOf(attribute), fallback]))
}

it('describes each setting of the widget, with its default', () => {
  const guide = readGuide()
  // What the tag alone can say.
  guide.delete('site')
  guide.delete('key')

  // What the service alone can say.
  const { handOver: _handOver, ...own } = panelSettings
  expect([...guide.keys()].sort()).toEqual(Object.keys(own).sort())
  const plain = Object.entries(panelSettings).filter(
    ([, [, fallback]]) => fallback !== '' && typeof fallback !== 'object',
  )
  expect(plain.map(([name]) => [name, guide.get(name)])).toEqual(
    plain.map(([name, [, fallback]]) => [name, String(fallback)]),
  )
})
