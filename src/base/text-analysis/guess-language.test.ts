import { expect, it } from 'vitest'
import { guessOtherLanguage } from './guess-language.ts'

it.each([
  ['Wie lese ich Cookies aus einer Anfrage?', 'de'],
  ['Comment recevoir un fichier avec UploadFile ?', 'fr'],
  ['Peut-on changer la clé ?', 'fr'],
  ['¿Cómo activo la telemetría?', 'es'],
  ['Como configuro o i18n com vários locales?', 'pt'],
  ['generateText 的 temperature 参数怎么设置?', 'zh'],
  ['sidebar を折りたたむには', 'ja'],
  ['Docker 를 어떻게 설정하나요?', 'ko'],
  ['Можно ли использовать Docker?', 'ru'],
])('takes “%s” for %s', (text, language) => {
  expect(guessOtherLanguage(text)).toBe(language)
})

it.each([
  'comment config',
  'redis de cluster',
  'Can readers comment on a page?',
  'die roll',
  'résumé upload',
  'What does Café Señor de Müller charge?',
  'E-42',
  'was it on before?',
])('takes “%s” for English, because single words are no evidence of another language', (text) => {
  expect(guessOtherLanguage(text)).toBeNull()
})
