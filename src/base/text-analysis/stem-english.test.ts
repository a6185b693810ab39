import { expect, it } from 'vitest'
import { stemEnglish } from './stem-english.ts'

/** Pairs of the algorithm's published vocabulary. */
it.each([
  ['consign', 'consign'],
  ['consigned', 'consign'],
  ['consistency', 'consist'],
  ['consolation', 'consol'],
  ['conspicuously', 'conspicu'],
  ['knightly', 'knight'],
  ['kneeling', 'kneel'],
  ['knavish', 'knavish'],
  ['hopping', 'hop'],
  ['hoping', 'hope'],
  ['dying', 'die'],
  ['news', 'news'],
  ['cries', 'cri'],
  ['ties', 'tie'],
  ['gas', 'gas'],
  ['gaps', 'gap'],
  ['generously', 'generous'],
  ['communication', 'communic'],
  ['rational', 'ration'],
  ['relational', 'relat'],
  ['running', 'run'],
  ['proceeding', 'proceed'],
  ['sky', 'sky'],
  ['happy', 'happi'],
  ['yelling', 'yell'],
  ['controlling', 'control'],
  ['a', 'a'],
  ['', ''],
])('stems %s to %s', (word, stem) => {
  expect(stemEnglish(word)).toBe(stem)
})

it('brings the forms of one word together', () => {
  const forms = ['configure', 'configured', 'configures', 'configuring', 'configuration', 'configurations']

  expect(new Set(forms.map(stemEnglish)).size).toBe(1)
})
