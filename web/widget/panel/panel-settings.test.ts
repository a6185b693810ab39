import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { findStarters, panelSettings } from './panel-settings.ts'
import { readSettings } from './read-settings.ts'

/** Name of each setting in the guide, and what stands as code at the start of its default. */
function readGuide(): Map<string, string | undefined> {
  const guide = readFileSync(new URL('../../../docs/guides/widget.mdx', import.meta.url), 'utf8')
  const rows = guide.matchAll(/^\| `data-([a-z-]+)` \|.*\| (?:`([^`]+)`)?[^|]*\|$/gm)
  const nameOf = (attribute: string) => attribute.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase())
  return new Map(Array.from(rows, ([, attribute = '', fallback]) => [nameOf(attribute), fallback]))
}

describe('the settings', () => {
  it('are those of the guide, with its defaults', () => {
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

  it('come from the first source that has a usable value', () => {
    const { mode, offset, codeAsk, history, label } = readSettings(panelSettings, [
      { label: null, mode: 'sideways' },
      { mode: 'modal', offset: '1; color: red', codeAsk: '', history: 'false' },
      { label: 'Help', codeAsk: false, history: true },
    ])

    expect({ mode, offset, codeAsk, history, label }).toEqual({
      mode: 'modal',
      offset: '24',
      codeAsk: true,
      history: false,
      label: 'Help',
    })
  })
})

describe('starter questions', () => {
  const { starters } = readSettings(panelSettings, [
    { starters: '[{"path":"/guides/keys","questions":["a"]},{"path":"/guides/*","questions":["b",7]},"c"]' },
  ])

  it.each([
    ['/guides/keys', 'a'],
    ['/guides/keys/', 'a'],
    ['/guides/keys.html', 'a'],
    ['/guides', 'b'],
    ['/guides/other', 'b'],
    ['/guidesque', 'c'],
    ['/', 'c'],
  ])('for %s are those of the first path that matches', (path, question) => {
    expect(findStarters(starters, path)).toEqual([question])
  })

  it.each(['{', '{"path":"/"}', '7', 'null'])('are none where %s is given', (given) => {
    expect(readSettings(panelSettings, [{ starters: given }]).starters).toEqual([])
  })
})
