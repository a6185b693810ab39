import { afterEach, expect, it, vi } from 'vitest'

// Other files share the modules.
afterEach(() => {
  localStorage.clear()
  vi.resetModules()
})

it('says a stored title in German, and what has no code as it is', async () => {
  localStorage.setItem('docent-language', 'de')
  vi.resetModules()
  const { prepareWords } = await import('../../words/say.ts')
  await prepareWords()
  const { sayStored } = await import('./say-stored.ts')

  expect(sayStored('The flag `--a` no longer exists in the product. Perhaps it is now `--b`.')).toBe(
    'Die Option `--a` gibt es im Produkt nicht mehr. Vielleicht heißt es jetzt `--b`.',
  )
  expect(sayStored('The sample has no such field.')).toBe('The sample has no such field.')
})
