import { render, screen } from '@testing-library/react'
import { afterEach, expect, it, vi } from 'vitest'

afterEach(() => {
  localStorage.clear()
  vi.resetModules()
})

/** The module as a window loads it whose person has chosen a language. */
async function openIn(language: 'en' | 'de') {
  localStorage.setItem('docent-language', language)
  vi.resetModules()
  const module = await import('./say.ts')
  await module.prepareWords()
  return module
}

it('says a text in the language that was chosen', async () => {
  expect((await openIn('de')).say('Saved {name}.', { name: 'Docs' })).toBe('Docs wurde gespeichert.')
  expect((await openIn('en')).say('Saved {name}.', { name: 'Docs' })).toBe('Saved Docs.')
})

it.each([
  ['en', 1, '1 file'],
  ['en', 2_000, '2,000 files'],
  ['de', 1, '1 Datei'],
  ['de', 2_000, '2.000 Dateien'],
] as const)('says in %s of %d: %s', async (language, count, text) => {
  const { sayCount } = await openIn(language)

  expect(sayCount(count, '{count} file', '{count} files')).toBe(text)
})

it('puts elements where the language has them', async () => {
  const { sayParts } = await openIn('de')

  render(<p>{sayParts('With the assistant of {name}. <link>All conversations</link>', { name: 'Docs', link })}</p>)

  expect(screen.getByRole('paragraph').textContent).toBe('Mit dem Assistenten von Docs. Alle Gespräche')
  expect(screen.getByRole('link', { name: 'Alle Gespräche' })).toBeDefined()
})

it('never fills values in twice', async () => {
  const { say } = await openIn('en')

  expect(say('Saved {name}.', { name: '{name} $& <b>' })).toBe('Saved {name} $& <b>.')
})

it('explains errors in the language of the window', async () => {
  const { sayError } = await openIn('de')

  expect(sayError('key_revoked')?.meaning).toBe('Der Schlüssel wurde widerrufen.')
  expect(sayError('newer_code')).toBeNull()
  expect((await openIn('en')).sayError('key_revoked')).toBeNull()
})

const link = (text: string) => <a href="/">{text}</a>
