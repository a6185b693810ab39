import { expect, it } from 'vitest'
import { AddressRefusedError } from '../../base/address-book.ts'
import { RedirectRefusedError } from '../../base/bind-to-origin.ts'
import { readRefusal } from './read-refusal.ts'

const withFields = (fields: object) => Object.assign(new Error('failed'), fields)

it.each([
  ['refused by the provider', withFields({ statusCode: 400 }), 'free'],
  ['refused for too many requests', withFields({ statusCode: 429 }), 'free'],
  ['never connected', withFields({ cause: withFields({ code: 'ECONNREFUSED' }) }), 'free'],
  ['an address that is not public', withFields({ cause: new AddressRefusedError('private') }), 'free'],
  ['a redirect that is not followed', new RedirectRefusedError(new URL('https://models.example.com')), 'free'],
  ['failed after reading the prompt', withFields({ statusCode: 503 }), 'prompt'],
  ['timed out at the provider', withFields({ statusCode: 408 }), 'unknown'],
  ['a connection that was lost', withFields({ cause: withFields({ code: 'ECONNRESET' }) }), 'unknown'],
  ['anything else', 'gone', 'unknown'],
])('reads what a call can have cost: %s', (_, error, cost) => {
  expect(readRefusal(error)).toBe(cost)
})
