import { expect, it } from 'vitest'
import { listQueryTerms } from './query-terms.ts'

it('weighs names that stand in both languages more than translated words', () => {
  const { terms } = listQueryTerms('¿Cómo limito el tamaño de los archivos de Dropbox?', 'en')

  const weightOf = (wanted: string) => terms.find(({ term }) => term === wanted)?.weight
  expect(weightOf('dropbox')).toBe(1)
  expect(weightOf('file')).toBeLessThan(1)
})

it('weighs all words of an English question alike', () => {
  const { terms } = listQueryTerms('limit the size of files in Dropbox', 'en')

  expect(terms.map(({ weight }) => weight)).toEqual(terms.map(() => 1))
})
