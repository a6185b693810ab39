import { expect, it } from 'vitest'
import { sayPlainly } from './say-plainly.ts'

it.each([
  ['are logs on out of the box?', 'are logs on by default?'],
  ['which port is it if I change nothing', 'which port is it by default'],
  ['how do I turn off the cache', 'how do I disable the cache'],
  ['Switch the old cache off.', 'disable the old cache.'],
  ['get rid of a page', 'remove a page'],
  ['take the warning away again', 'remove the warning'],
  ['how big may a file be', 'maximum size a file be'],
  ['how many keys may one have', 'maximum keys may one have'],
  ['how many requests per minute', 'how requests per minute'],
  ['take a backup', 'backup'],
  ['how do I perform an upgrade?', 'how do I upgrade?'],
  ['take a long time', 'take a long time'],
  ['Turn left on the road', 'Turn left on the road'],
  ['what is a box?', 'what is a box?'],
])('says “%s” as “%s”', (text, plain) => {
  expect(sayPlainly(text)).toBe(plain)
})
