import { expect, it } from 'vitest'
import { writeSupportOffer } from './support-offer.ts'

it('links an e-mail address', () => {
  expect(writeSupportOffer('help@example.com', 't')).toBe(
    '\n\nFor help, write to [help@example.com](mailto:help@example.com).',
  )
})

it('links a web address with the thread, whatever a client named it', () => {
  expect(writeSupportOffer('https://example.com/new/?a=1', 'a b)(&c')).toBe(
    '\n\nFor help, go to [example.com/new](https://example.com/new/?a=1&threadId=a+b%29%28%26c).',
  )
})
