import { describe, expect, it } from 'vitest'
import { documentationWords, tableLanguages } from './documentation-words.ts'
import { listEnglishTerms, translateToEnglish } from './translate-to-english.ts'
import { threadCpuMs } from '../../../test/support/thread-cpu-ms.ts'

it('has words in every language for every term', () => {
  const rows = documentationWords.trim().split('\n')
  const cells = rows.map((row) => row.split('|').filter(Boolean).length)

  expect(rows.filter((_, row) => cells[row] !== tableLanguages.length + 1)).toEqual([])
})

describe('the English terms of a question', () => {
  it.each([
    ['de', 'Wie verschlüssele ich Dateien?', ['how', 'encrypt encryption', 'file']],
    ['de', 'Wo liegt die Konfigurationsdatei?', ['configure configuration file']],
    ['fr', 'Comment changer le mot de passe ?', ['how', 'change modify', 'password']],
    ['es', '¿Cómo ejecuto el comando?', ['how', 'run execute', 'command']],
    ['ru', 'Как проверить файл?', ['how', 'check verify', 'file']],
    ['ja', '環境変数の一覧', ['environment variable', 'list']],
    ['zh', '如何同步文件夹', ['how', 'sync synchronize', 'folder directory']],
    ['ko', '파일을 삭제하려면', ['file', 'remove delete']],
  ])('are known in %s: %s', (language, text, terms) => {
    expect(listEnglishTerms(text, language)).toEqual(terms)
  })

  it.each([
    ['of words that only begin like a short one', 'Quelle est la clémence ?', 'fr'],
    ['of languages without a list', 'Slik sletter du en fil', 'no'],
  ])('do not include those %s', (_, text, language) => {
    expect(listEnglishTerms(text, language)).toEqual([])
  })
})

it('keeps names and unknown words as they are', () => {
  expect(translateToEnglish('Wie installiere ich Kubernetes?', 'de')).toBe(
    ' how   install installation  ich Kubernetes?',
  )
})

it('reads a long word in linear time', () => {
  const startedAt = threadCpuMs()

  translateToEnglish(`${'a'.repeat(4_000)} `.repeat(4), 'de')

  expect(threadCpuMs() - startedAt).toBeLessThan(1_000)
})
