import { describe, expect, it } from 'vitest'
import { findStarters, panelSettings } from './panel-settings.ts'
import { readSettings } from './read-settings.ts'

describe('the settings', () => {
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
